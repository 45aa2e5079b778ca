"""Where a caller may send us, and where not, whatever the address looks like."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raw_server import RawServer, whole

from evidence.errors import InvalidRequest
from evidence.http.client import Client
from evidence.http.network import Resolve, resolved, transport_to
from host.hosts import LISTED, ListedHosts
from host.mcp.overrides import HEADERS, overridden
from host.proof.settings import NO_PROOFS, proofs_of

DNS: Mapping[str, tuple[str, ...]] = {
    "dify.example.com": ("93.184.215.14",),
    "models.example.com": ("93.184.215.15", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
    "rebound.example.com": ("93.184.215.14", "10.0.0.7"),
    "metadata.example.com": ("169.254.169.254",),
    "loop.example.com": ("127.0.0.1",),
    "six.example.com": ("::1",),
    "mapped.example.com": ("::ffff:10.0.0.7",),
    "nat.example.com": ("64:ff9b::a00:7",),
    "tunnel.example.com": ("2002:a00:7::1",),
    "zero.example.com": ("0.0.0.0",),
    "api": ("172.18.0.5",),
    "sneaky": ("169.254.169.254",),
    "odd": ("127.0.0.1",),
    "localhost": ("127.0.0.1", "::1"),
}
SETTINGS = {
    "dify_base_url": "http://api:5001/v1",
    "dify_api_key": "the administrators own",
    "llm_base_url": "https://models.example.org/v1",
    "llm_api_key": "another of the administrators",
    "llm_model": "small",
    "rerank_api_key": "and one more",
    "allow_header_overrides": True,
    "allowed_header_hosts": "dify.example.com, models.example.com",
}
OWN = {"x-retrieval-endpoint": "https://dify.example.com/v1", "x-retrieval-api-key": "callers"}


def resolve(host: str, _port: int) -> Sequence[str]:
    host = host.rstrip(".").lower()
    if host in DNS:
        return DNS[host]
    if host.replace(".", "").isdigit() or ":" in host:
        return (host,)
    raise OSError(host)


def allowed(url: str, *listed: str) -> bool:
    """Whether a header may name it, and a connection to it be made."""
    hosts = ListedHosts(listed, "X-LLM-API-URL", resolve)
    parts = urlsplit(url)
    try:
        hosts.mind(url)
        return bool(hosts(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)))
    except InvalidRequest:
        return False


@pytest.mark.parametrize(
    ("url", "listed"),
    [
        ("https://dify.example.com/v1", "dify.example.com"),
        ("https://DIFY.example.com./v1", "Dify.Example.com"),
        ("https://dify.example.com:8443", "dify.example.com:8443"),
        ("https://models.example.com", "models.example.com"),
        ("http://93.184.215.14/v1", "93.184.215.14"),
        ("http://10.1.2.3:5001", "10.0.0.0/8"),
        ("http://10.1.2.3", "10.1.2.3"),
        ("http://127.0.0.1:8080", "127.0.0.1"),
        ("http://[::1]:8080", "::1"),
        ("http://api:5001/v1", "api"),
        ("http://localhost:1234", "localhost"),
    ],
)
def test_a_listed_host_is_allowed(url: str, listed: str) -> None:
    assert allowed(url, listed)


@pytest.mark.parametrize(
    ("url", "listed"),
    [
        ("https://other.example.com", "dify.example.com"),
        ("https://dify.example.com.evil.example", "dify.example.com"),
        ("https://evil-dify.example.com", "dify.example.com"),
        ("https://dify.example.com:22", "dify.example.com:443"),
        ("https://dify.example.com", ""),
        ("http://127.0.0.1", "dify.example.com"),
        ("http://2130706433", "dify.example.com"),
        ("http://0x7f.1", "dify.example.com"),
        ("http://10.1.2.3", "10.0.0.0/30"),
        ("http://[::ffff:10.0.0.7]", "dify.example.com"),
        ("https://unknown.example.com", "unknown.example.com"),
    ],
)
def test_a_host_that_is_not_listed_is_refused(url: str, listed: str) -> None:
    assert not allowed(url, listed)


@pytest.mark.parametrize("name", ["rebound", "metadata", "loop", "six", "mapped", "nat", "tunnel", "zero"])
def test_a_listed_name_may_not_lead_into_the_own_network(name: str) -> None:
    assert not allowed(f"https://{name}.example.com", f"{name}.example.com")


@pytest.mark.parametrize(
    ("expected", "address"),
    [
        *[
            (False, each)
            for each in """
            127.0.0.1 10.0.0.7 169.254.169.254 100.64.0.1 0.0.0.0 192.0.0.8 192.0.0.192 192.88.99.1 168.63.129.16
            198.18.0.1 240.0.0.1 255.255.255.255 224.0.0.1 192.0.2.1
            :: ::1 ::127.0.0.1 ::7f00:1 ::a9fe:a9fe ::ffff:10.0.0.7 ::ffff:0:127.0.0.1 ::ffff:0:a9fe:a9fe
            64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: fec0::1 fe80::1%eth0 fd00:ec2::254
            ff0e::1 2001:db8::1 5f00::1 100::1 4000::1
            """.split()
        ],
        *[(True, each) for each in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8")],
    ],
)
def test_a_listed_name_leads_to_addresses_of_the_internet_alone(expected: bool, address: str) -> None:
    hosts = ListedHosts(("named.example.com",), "X-LLM-API-URL", lambda _host, _port: (address,))
    try:
        reached = list(hosts("named.example.com", 443))
    except InvalidRequest:
        reached = []
    assert ([address] if expected else []) == reached


def test_where_it_leads_may_be_listed_too() -> None:
    assert allowed("https://rebound.example.com", "rebound.example.com", "10.0.0.0/24")
    assert not allowed("https://rebound.example.com", "rebound.example.com", "10.9.0.0/24")


@pytest.mark.parametrize("name", ["sneaky", "odd"])
def test_a_local_name_may_not_lead_to_the_machine_itself_or_its_metadata(name: str) -> None:
    assert not allowed(f"http://{name}", name)


@given(st.ip_addresses())
def test_no_address_is_allowed_that_is_not_listed(address: Any) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    assert not allowed(f"http://{host}", "dify.example.com", "192.0.2.1")


def rebinding(*answers: tuple[str, ...]) -> Resolve:
    """DNS that answers each time with the next of its answers."""
    left = list(answers)
    return lambda _host, _port: left.pop(0)


def test_a_name_that_leads_elsewhere_the_second_time_is_never_connected_to() -> None:
    with RawServer(whole(b"{}")) as server:
        url = f"http://dify.example.com:{server.port}/v1"
        settings = SETTINGS | {"allowed_header_hosts": "dify.example.com, 127.0.0.1"}
        dns = rebinding(("127.0.0.1",), ("127.0.0.2", "127.0.0.1"))
        found = overridden(OWN | {"x-retrieval-endpoint": url}, settings, dns)
        with Client(url, transport=transport_to(url, found["dify_base_url" + LISTED])) as asked:
            assert {} == asked.get("datasets")
            with pytest.raises(InvalidRequest, match=r"^X-RETRIEVAL-ENDPOINT: this host leads to an address"):
                asked.get("datasets")
        assert 1 == len(server.asked)


def test_whoever_is_connected_to_is_asked_for_by_name_and_was_judged_by_address() -> None:
    """The first answer would have been permitted: 0.1.0 judged it, and then connected to the second."""
    dns = rebinding(("93.184.215.14",), ("127.0.0.1",))
    hosts = ListedHosts(("dify.example.com",), "X-RETRIEVAL-ENDPOINT", dns)
    assert ("93.184.215.14",) == hosts("dify.example.com", 443)
    with pytest.raises(InvalidRequest, match="leads to an address that is not allowed"):
        hosts("dify.example.com", 443)


def test_names_are_really_resolved() -> None:
    assert {"127.0.0.1", "::1"} >= set(resolved("localhost", 80)) != set()


def test_without_headers_the_settings_stay_as_they_are() -> None:
    assert overridden({"authorization": "Bearer x"}, SETTINGS, resolve) is SETTINGS


@pytest.mark.parametrize("switch", [False, None, "", "false", "0"])
@pytest.mark.parametrize("header", HEADERS)
def test_no_header_is_taken_or_left_aside_where_they_are_not_allowed(header: str, switch: Any) -> None:
    with pytest.raises(InvalidRequest, match=f"{header}: this endpoint takes no"):
        overridden(
            {header.lower(): "https://dify.example.com"},
            SETTINGS | {"allow_header_overrides": switch},
            resolve,
        )


def test_a_caller_brings_server_and_key_together() -> None:
    found = overridden(OWN, SETTINGS, resolve)
    assert ("https://dify.example.com/v1", "callers") == (found["dify_base_url"], found["dify_api_key"])
    assert "another of the administrators" == found["llm_api_key"]


@pytest.mark.parametrize(
    ("headers", "named"),
    [
        ({"x-retrieval-endpoint": "https://dify.example.com/v1"}, "X-RETRIEVAL-API-KEY"),
        ({"x-llm-api-url": "https://models.example.com"}, "X-LLM-MODEL"),
        ({"x-llm-model": "large"}, "X-LLM-API-URL"),
        ({"x-llm-api-token": "t"}, "X-LLM-API-URL"),
        ({"x-rerank-model": "m"}, "X-RERANK-URL"),
        (OWN | {"x-retrieval-endpoint": "https://evil.example"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "file:///etc/passwd"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "https://dify.example.com@evil.example"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "https://evil.example#@dify.example.com"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "https://evil.example\\@dify.example.com"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "https://dify.example.com/v1\r\nX-Evil: 1"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-endpoint": "https://dıfy.example.com"}, "X-RETRIEVAL-ENDPOINT"),
        (OWN | {"x-retrieval-api-key": "a\r\nHost: evil"}, "X-RETRIEVAL-API-KEY"),
        (OWN | {"x-retrieval-api-key": "k" * 2_001}, "X-RETRIEVAL-API-KEY"),
    ],
)
def test_a_header_that_is_half_or_crooked_is_refused(headers: dict[str, str], named: str) -> None:
    with pytest.raises(InvalidRequest, match=named):
        overridden(headers, SETTINGS, resolve)


def test_a_key_of_the_administrator_never_travels_to_a_host_of_the_caller() -> None:
    headers = {
        "x-llm-api-url": "https://models.example.com/v1",
        "x-llm-model": "large",
        "x-rerank-url": "https://models.example.com/v1/rerank",
    }
    found = overridden(headers, SETTINGS, resolve)
    assert ("", "large", "") == (found["llm_api_key"], found["llm_model"], found["rerank_api_key"])


def test_a_key_of_ones_own_may_be_brought_to_the_server_of_the_settings() -> None:
    found = overridden({"x-retrieval-api-key": "callers"}, SETTINGS, resolve)
    assert ("http://api:5001/v1", "callers") == (found["dify_base_url"], found["dify_api_key"])


@pytest.mark.parametrize("own", [OWN, {"x-retrieval-api-key": "callers"}])
def test_a_caller_who_brings_a_server_or_a_key_gets_no_links(own: Mapping[str, str]) -> None:
    """They would open, with the administrator's key, whatever has the same ids there."""
    links = {"proof_url": "https://dify.example.com/e/abc", "proof_key": "a-long-key-that-signs"}
    assert NO_PROOFS == proofs_of(overridden(own, SETTINGS | links, resolve), "What?")
    assert NO_PROOFS != proofs_of(overridden({}, SETTINGS | links, resolve), "What?")
