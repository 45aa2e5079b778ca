"""Many questions at the same time, on a base that nobody has read yet."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from conftest import DOCUMENTS, KEY, QUESTION, SELECTOR, Plugin

from standalone.knowledge import KnowledgeServer, load_folder
from standalone.models.reader import MODELS

AT_ONCE = 32


def test_questions_at_once_share_what_is_listed_and_read_and_all_are_answered(plugin: Plugin) -> None:
    plugin.workspace.model = MODELS["reader"]
    with KnowledgeServer(load_folder(DOCUMENTS), api_key=KEY, latency=0.05) as server:
        credentials = {"dify_base_url": server.base_url, "dify_api_key": KEY}

        def ask(number: int) -> str:
            tool = "quote" if number % 2 else "ask"
            result = plugin.run(tool, query=QUESTION, model=SELECTOR, credentials=credentials)
            return str(result.json["status"])

        with ThreadPoolExecutor(AT_ONCE) as pool:
            assert ["answered"] * AT_ONCE == list(pool.map(ask, range(AT_ONCE)))
        asked = Counter(request.path.rsplit("/", 1)[1] for request in server.requests)
        documents = sum(len(each.documents) for each in server.corpus.collections)
        assert 1 == asked["datasets"]
        assert len(server.corpus.collections) == asked["documents"]
        assert documents >= asked["segments"]
