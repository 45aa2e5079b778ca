"""A folder of files as a corpus."""

from pathlib import Path

from standalone.knowledge.corpus import Collection, Corpus, SourceDocument, Technique

_SUFFIXES = frozenset({".txt", ".md", ".pdf"})
_DESCRIPTION = "_description.txt"


def load_folder(
    path: Path,
    technique: Technique = "high_quality",
    name: str | None = None,
    segment_characters: int = 500,
) -> Corpus:
    """Read a folder: each direct sub-folder is a dataset, loose files are one dataset named after the folder.

    `.txt` and `.md` files are read as UTF-8 with newlines and byte-order marks untouched, `.pdf` files
    through pypdf. A document is named after its file; hidden files and other types are left out.
    `_description.txt` describes the dataset of the folder it lies in. `name` renames the loose dataset.
    Raises FileNotFoundError, ValueError (nothing to read, or not UTF-8) and ModuleNotFoundError (pypdf).
    """
    if not path.is_dir():
        raise FileNotFoundError(f"There is no folder {path}.")
    folders = [(path, name or path.resolve().name, sorted(path.iterdir()))]
    folders += [
        (folder, folder.name, sorted(folder.rglob("*")))
        for folder in sorted(path.iterdir())
        if folder.is_dir() and not folder.name.startswith(".")
    ]
    collections = []
    for folder, title, files in folders:
        documents = tuple(SourceDocument(file.name, _text(file)) for file in files if _readable(file, folder))
        if documents:
            collections.append(
                Collection(
                    title,
                    documents,
                    technique,
                    _description(folder),
                    segment_characters=segment_characters,
                )
            )
    if not collections:
        raise ValueError(f"The folder {path} holds no .txt, .md or .pdf file.")
    return Corpus(tuple(collections))


def _readable(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    hidden = any(part.startswith(".") for part in parts)
    return not hidden and file.name != _DESCRIPTION and file.suffix.lower() in _SUFFIXES and file.is_file()


def _description(folder: Path) -> str:
    file = folder / _DESCRIPTION
    return _text(file).strip() if file.is_file() else ""


def _text(file: Path) -> str:
    if file.suffix.lower() == ".pdf":
        return _pdf_text(file)
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not UTF-8 text: {error.reason} at byte {error.start}.") from error


def _pdf_text(file: Path) -> str:
    try:
        # Only who has PDF files needs the package.
        from pypdf import PdfReader  # noqa: PLC0415 - an optional package is imported where it is needed
        from pypdf.errors import PyPdfError  # noqa: PLC0415 - as above: an optional package
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"Reading {file} needs the package pypdf: pip install pypdf.") from error
    try:
        return "\n\n".join(page.extract_text() for page in PdfReader(file).pages)
    except PyPdfError as error:
        raise ValueError(f"{file} is not a PDF that can be read: {error}") from error
