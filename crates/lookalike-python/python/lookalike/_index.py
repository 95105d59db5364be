"""The stored index: documents that come and go in a folder, ready to be asked."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from . import _lookalike
from ._asking import Question, ask
from ._data import Given
from ._options import Options, Unpack, refuse_unknown, threshold_of
from ._progress import Callback, Watcher
from ._results import Added, Answers, LookalikeWarning
from ._rows import Table
from ._running import request_of, tell
from ._tables import list_of_ids

if TYPE_CHECKING:
    from typing_extensions import Self

StrPath = str | os.PathLike[str]

#: Seconds by the letter of a unit.
_SECONDS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}


class Index:
    """An index that is open: a folder of documents, which any number of processes asks and one writes to.

    The first change takes the right to write, which :meth:`close`, or the end of a ``with`` block, gives back. Answers
    come from the index as it was when it was opened, with the changes of this object; :meth:`refresh` takes notice of
    those of other processes. Other jobs take it for the path that it has: ``lookalike.dedup(new, against=index)``.

    >>> import lookalike, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with lookalike.Index.create(folder.name + "/idx", {"a": "one two three four five six"}) as index:
    ...     added = index.add({"b": "One two three four five six!", "c": "something else"}, unless_near=True)
    ...     print(added, "a" in index, len(index))
    ...     index.search(["one two three, four five six"]).table["id"]
    Added: 1, 1 not: another is near; the index has 2 True 2
    ['a']
    """

    def __init__(self, path: StrPath, *, durability: str = "power") -> None:
        """Opens an index.

        Args:
            path: Its folder.
            durability: What a change survives when the call has returned: ``power`` (the loss of power) or ``process``
                (the end of the process).

        Raises:
            ValueError: The folder is no index, or damaged.
            OSError: It cannot be read.
        """
        self.native = _lookalike.Index.open(os.fspath(path), durability)
        self._path, self._process = os.fspath(path), os.getpid()
        _warn(self.native.warning())

    @classmethod
    def create(
        cls,
        path: StrPath,
        data: object = None,
        threshold: float | str | None = None,
        *,
        text: str = "text",
        id: str | None = "id",
        store: Iterable[str] = (),
        store_texts: bool = False,
        signatures: bool = False,
        keyed: bool = False,
        ttl: int | str | timedelta | None = None,
        durability: str = "power",
        progress: bool | Callback | None = None,
        **options: Unpack[Options],
    ) -> Self:
        """Makes an index of documents, which may be none. It appears as a whole or not at all.

        A document without an id is known by its text: its id in the index is ``text:`` and a hash of it.

        Args:
            path: The folder, which is not there yet, or empty.
            data: Documents, in any form that :func:`lookalike.dedup` takes.
            threshold: The lowest threshold that can be asked for; 0.8 if it is not given.
            text: Column or field with the text.
            id: Column or field with the id; ``None`` for none.
            store: Columns or fields that are stored of all documents, and told with answers, as JSON.
            store_texts: Whether the texts are stored, too.
            signatures: Whether signatures are stored in place of sets: about 400 bytes a document at 0.8, and answers
                are estimates: all whose interval reaches the threshold, with the reason ``"uncertain"`` where the
                estimate is below.
            keyed: Whether shingles are hashed by a secret of the index, for texts of strangers, who could else search
                for texts that collide with those of others. Snapshots and other indexes do not fit it.
            ttl: When the documents are gone: a number of seconds, ``"30d"`` (``s``, ``m``, ``h``, ``d``) or a
                ``timedelta``; ``None`` for never.
            durability: As for :class:`Index`.
            progress: As for :func:`lookalike.dedup`.
            options: Those of :func:`lookalike.dedup` for features, measure, method, reading and resources. They are kept.
        """
        refuse_unknown(Index.create, options)
        keywords = {**options, "threshold": threshold_of(threshold), "text": text, "id": id, "ttl": _seconds_of(ttl)}
        stored = {"store": _list_of(store, "store"), "store_texts": store_texts}
        stored.update(signatures=signatures, keyed=keyed)
        request = request_of(Given() if data is None else data, {**keywords, **stored})
        with Watcher(progress) as watcher:
            said, messages = _lookalike.Index.create(
                os.fspath(path), durability, request.keywords, request.data.documents, watcher.callback
            )
        tell(said, messages)
        return cls(path, durability=durability)

    def add(
        self,
        data: object,
        *,
        unless_near: bool | float | str = False,
        replace: bool = True,
        text: str = "text",
        id: str | None = "id",
        ttl: int | str | timedelta | None = None,
        progress: bool | Callback | None = None,
        **options: Unpack[Options],
    ) -> Added:
        """Adds documents, in place of those with the same ids: all that are to be added, or, if it fails, none.

        A document without an id is known by its text: its id in the index is ``text:`` and a hash of it. It takes the
        place of none, and is not added where the text is there.

        Args:
            data: Documents, in any form that :func:`lookalike.dedup` takes.
            unless_near: Whether a document is added only if none is near, in the index or before it; a number is the
                threshold, which is not lower than that of the index.
            replace: Whether a document takes the place of one with the same id; with ``False`` such an id is an error,
                and nothing is added.
            text: Column or field with the text.
            id: Column or field with the id; ``None`` for none.
            ttl: When the documents are gone: a number of seconds, ``"30d"`` (``s``, ``m``, ``h``, ``d``) or a
                ``timedelta``; ``None`` for never.
            progress: As for :func:`lookalike.dedup`.
            options: Those of :func:`lookalike.dedup` for reading and resources.
        """
        refuse_unknown(self.add, options)
        self._check_process()
        asks = unless_near is not False
        raised = threshold_of(unless_near) if asks and unless_near is not True else None
        keywords = {**options, "text": text, "id": id, "ttl": _seconds_of(ttl), "store": self.native.stored_fields()}
        asked = {"asks": asks, "unless_near": None if raised is None else str(raised), "replace": replace}
        request = request_of(data, {**keywords, **asked})
        with Watcher(progress) as watcher:
            said, messages, near = self.native.add(request.keywords, request.data.documents, watcher.callback)
        return Added(Table(near), tell(said, messages))

    def remove(self, ids: Iterable[str | int]) -> None:
        """Removes documents: all, or none if one is not there.

        Raises:
            KeyError: There is no document with an id.
        """
        self._check_process()
        self.native.remove(list_of_ids(ids, "ids"))

    def get(self, id: str | int) -> dict[str, Any] | None:
        """What is known of a document; ``None`` if there is none.

        That is ``id``, ``elements``, ``characters``, ``expires``, and ``fields`` and ``text`` if the index stores them.
        """
        found = self.native.get(str(id))
        if found is not None and "fields" in found:
            found["fields"] = json.loads(found["fields"])
        return found

    def search(
        self,
        queries: object = None,
        threshold: float | str | None = None,
        *,
        k: int | None = None,
        ids: Iterable[str | int] = (),
        text: str = "text",
        id: str | None = "id",
        containment: str | None = None,
        measure_recall: bool = False,
        progress: bool | Callback | None = None,
        **options: Unpack[Options],
    ) -> Answers:
        """The documents that are nearest to each query; arguments are those of :func:`lookalike.search`."""
        refuse_unknown(self.search, options)
        asked = Question(queries, threshold, k, ids, text, id, containment, measure_recall)
        return ask(asked, self.native, options, progress)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, (str, int)) and not isinstance(id, bool) and str(id) in self.native

    def __len__(self) -> int:
        return len(self.native)

    @property
    def info(self) -> dict[str, Any]:
        """What the index was made for, its documents and sizes."""
        info: dict[str, Any] = json.loads(self.native.info())
        return info

    def compact(self) -> None:
        """Writes all documents anew, without what was removed."""
        self._check_process()
        self.native.compact()

    def verify(self) -> list[tuple[str, str]]:
        """Compares each byte of its files with its checksum; returns the problems, each a file and what is wrong."""
        return self.native.verify()

    def backup(self, copy: StrPath) -> None:
        """Copies the index to a folder that is not there yet, also while it is written to."""
        _warn(self.native.backup(os.fspath(copy)))

    def refresh(self) -> None:
        """Takes notice of what other processes have changed."""
        self.native.refresh()

    def close(self) -> None:
        """Lets other processes write to the index; it can still be asked."""
        self.native.close()

    def _check_process(self) -> None:
        """A process that was forked shares the lock of its parent, and must not write."""
        if os.getpid() != self._process:
            raise RuntimeError("this index was opened by another process: open it again to change it")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __fspath__(self) -> str:
        """The folder: an index is a path of documents for every job."""
        return self._path

    def __repr__(self) -> str:
        return f"lookalike.Index({self._path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Index, (self._path,))


def _warn(message: str | None) -> None:
    """Issues a warning about the files of the index, if there is one."""
    if message is not None:
        warnings.warn(message, LookalikeWarning, stacklevel=3)


def _list_of(names: Iterable[str], keyword: str) -> list[str]:
    if isinstance(names, str):
        raise TypeError(f"{keyword}: expected several, as a list; found a lone str")
    return list(names)


def _seconds_of(ttl: int | str | timedelta | None) -> int | None:
    """A time to live in seconds.

    Raises:
        ValueError: It is no time.
    """
    if isinstance(ttl, timedelta):
        # Rounded up: it never ends early.
        return -int(-ttl.total_seconds() // 1)
    if not isinstance(ttl, str):
        return ttl
    found = re.fullmatch(r"(\d+)([smhd])", ttl)
    if found is None:
        raise ValueError(f"ttl: expected seconds, a timedelta, or a str such as \"30d\"; found `{ttl}`")
    return int(found[1]) * _SECONDS[found[2]]
