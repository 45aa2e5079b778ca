"""One SQLite file that several processes share. What is damaged or of another format is thrown away and begun anew.

The file is ours: it stands in a folder of the administrator's under a name that nothing else bears.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evidence.store.disk_parts import SCHEMA as PARTS_SCHEMA
from evidence.store.packing import Damaged
from evidence.store.port import FORMAT

FILE = "context_aware_retriever.index"
_APPLICATION = 0x43415249  # in the head of the file: whose it is
_PATIENCE = 2.0  # seconds for which another process's writing is waited for
_DAMAGED = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_MISMATCH"})
_SCHEMA = """
CREATE TABLE IF NOT EXISTS datasets (
  scope TEXT, dataset TEXT, version TEXT, listed_at REAL, PRIMARY KEY (scope, dataset)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT, dataset TEXT, document TEXT, version TEXT, record TEXT,
  place INTEGER, usable INTEGER, part INTEGER, read_at REAL, characters INTEGER, size INTEGER,
  UNIQUE (scope, dataset, document));
CREATE INDEX IF NOT EXISTS counted ON documents (scope, dataset, usable, read_at, characters, size);
CREATE INDEX IF NOT EXISTS parted ON documents (part);
CREATE TABLE IF NOT EXISTS texts (number INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE IF NOT EXISTS vectors (scope TEXT, dataset TEXT, document TEXT, model TEXT, read_at REAL, keys BLOB,
  rows BLOB, PRIMARY KEY (scope, dataset, document, model)) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS gone AFTER DELETE ON documents BEGIN DELETE FROM texts WHERE number = OLD.number; END;
"""  # `documents` are all that were listed; those that were read have a text


class Database:
    """Thread-safe; a transaction at a time. Nothing is raised but bugs: what fails is told by `warnings`."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._path = self._folder / FILE
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] = (0, 0)
        self._warning = "" if folder else "index: no folder is entered for it; what is read is kept in memory"
        self._notice = ""

    def warnings(self) -> tuple[str, ...]:
        """What is wrong now, and once what was."""
        with self._lock:
            notice, self._notice = self._notice, ""
            return tuple(filter(None, dict.fromkeys((self._warning, notice))))

    @property
    def working(self) -> bool:
        return not self._warning

    def read[R](self, work: Callable[[sqlite3.Connection], R], otherwise: R) -> R:
        """What the work gives, or `otherwise` where the home fails."""
        with self._lock:
            if not self._folder.parts:
                return otherwise
            try:
                return work(self._opened())
            except (sqlite3.Error, Damaged, OSError) as error:
                self._failed(error)
                return otherwise

    def write[R](self, work: Callable[[sqlite3.Connection], R], otherwise: R) -> R:
        """The same for work that writes, in one transaction: all of it is done, or nothing."""

        def transaction(connection: sqlite3.Connection) -> R:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            self._warning = ""
            return result

        return self.read(transaction, otherwise)

    def compact(self) -> None:
        """Give the room of what was deleted back to the disk, so that nothing of it is left there."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        self.read(work, None)

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Whether no other process is inside by this name; the system lets it go however the process ends."""
        opened = self.read(lambda _: True, otherwise=False)
        if not (opened and self.working):
            yield False
            return
        gate = sqlite3.connect(self._folder / f"{FILE}.{name}", timeout=0.0, isolation_level=None)
        try:
            gate.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            inside = False
        else:
            inside = True
        try:
            yield inside
        finally:
            gate.close()

    def _opened(self) -> sqlite3.Connection:
        """The connection; a new one where another process has begun the file anew."""
        if self._connection is not None and self._identity() == self._file:
            return self._connection
        self.close()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        connection = sqlite3.connect(
            self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._connection = connection
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -8000"):
            connection.execute(f"PRAGMA {pragma}")
        head = [
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        ]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and head != [_APPLICATION, FORMAT]:
            raise Damaged("another format")
        if not tables:
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}{PARTS_SCHEMA}COMMIT;")
        self._file = self._identity()
        return connection

    def _identity(self) -> tuple[int, int]:
        try:
            stat = self._path.stat()
        except OSError:
            return (0, 0)
        return stat.st_dev, stat.st_ino

    def _failed(self, error: Exception) -> None:
        name = str(getattr(error, "sqlite_errorname", ""))
        if isinstance(error, Damaged) or any(name.startswith(damage) for damage in _DAMAGED):
            self._begin_anew()
        elif not name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            why = "the disk is full" if name == "SQLITE_FULL" else "its folder cannot be written"
            self._warning = self._notice = f"index: {why}; what is read is kept in memory"

    def _begin_anew(self) -> None:
        """Remove the file, unless another process did so meanwhile."""
        same = self._identity() == self._file or self._file == (0, 0)
        self.close()
        if same:
            self._notice = "index: it was damaged, or of another format, and is built anew"
            for suffix in ("", "-wal", "-shm"):
                with suppress(OSError):
                    self._path.with_name(FILE + suffix).unlink()

    def close(self) -> None:
        with self._lock, suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
            self._connection, self._file = None, (0, 0)
