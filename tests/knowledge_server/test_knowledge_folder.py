import sys
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from standalone.knowledge import load_folder


def _write_pdf(path: Path, text: str) -> None:
    writer = PdfWriter()
    page = writer.add_blank_page(200, 200)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    content.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = content
    writer.write(path)


def test_each_sub_folder_is_a_dataset_and_loose_files_are_one_more(tmp_path: Path) -> None:
    for name in ("loose.txt", "leases/a.txt", "leases/deep/b.md", "minutes/c.txt", "empty/picture.png"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("Text.", encoding="utf-8")
    (tmp_path / "leases" / "_description.txt").write_text("What we rent.\n", encoding="utf-8")
    (tmp_path / "leases" / ".hidden.txt").write_text("x", encoding="utf-8")
    corpus = load_folder(tmp_path, "economy", name="papers", segment_characters=100)
    found = [
        (collection.name, collection.description, [document.name for document in collection.documents])
        for collection in corpus.collections
    ]
    assert [
        ("papers", "", ["loose.txt"]),
        ("leases", "What we rent.", ["a.txt", "b.md"]),
        ("minutes", "", ["c.txt"]),
    ] == found
    assert {("economy", 100)} == {(one.technique, one.segment_characters) for one in corpus.collections}


def test_the_loose_dataset_is_named_after_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "a.txt").write_text("Text.", encoding="utf-8")
    assert ["archive"] == [collection.name for collection in load_folder(folder).collections]


def test_newlines_and_a_byte_order_mark_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    ((document,),) = (collection.documents for collection in load_folder(tmp_path).collections)
    assert "\ufeffone\r\ntwo\rthree\n" == document.text


def test_a_pdf_is_read_through_pypdf(tmp_path: Path) -> None:
    _write_pdf(tmp_path / "lease.pdf", "The rent is due.")
    ((document,),) = (collection.documents for collection in load_folder(tmp_path).collections)
    assert ("lease.pdf", "The rent is due.") == (document.name, document.text)


def test_a_pdf_without_pypdf_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lease.pdf").write_bytes(b"%PDF-1.4")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(ModuleNotFoundError, match=r"lease\.pdf needs the package pypdf"):
        load_folder(tmp_path)


def test_a_file_that_is_no_pdf_is_named(tmp_path: Path) -> None:
    (tmp_path / "lease.pdf").write_bytes(b"not a pdf")
    with pytest.raises(ValueError, match=r"lease\.pdf is not a PDF"):
        load_folder(tmp_path)


def test_text_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("Käse".encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin\.txt is not UTF-8 text"):
        load_folder(tmp_path)


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no \.txt, \.md or \.pdf file"):
        load_folder(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="There is no folder"):
        load_folder(tmp_path / "nowhere")
