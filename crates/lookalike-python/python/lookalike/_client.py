"""A client of ``lookalike serve``, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import os
import ssl
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict
from urllib.parse import quote, urlencode, urlsplit

#: Bytes of documents or queries that are sent at a time.
_BATCH_BYTES = 4 << 20
#: Documents or queries that are sent at a time.
_BATCH = 1_000
#: What a full server, and one that is about to stop, answer.
_TRY_AGAIN = frozenset([429, 503])
_LINES = "application/x-ndjson"


class ServerError(Exception):
    """What a server refuses, in its own words."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{detail} ({status})")
        #: The status of the answer.
        self.status = status
        #: The sentence of the server.
        self.detail = detail


class Near(TypedDict, total=False):
    """A document that is near, most similar first; which figures there are depends on the measure of the index."""

    id: str
    rank: int
    similarity: float
    estimated_similarity: float
    interval_low: float
    interval_high: float
    containment_of_query: float
    containment_of_id: float
    common: int
    distance: int
    euclidean_distance: float
    manhattan_distance: float
    reason: str
    fields: dict[str, Any]


class StoredDocument(TypedDict, total=False):
    """A document of the index."""

    id: str
    elements: int
    characters: int
    expires: int
    fields: dict[str, Any]
    text: str


class FoundPassage(TypedDict):
    """A passage: bytes of both texts, ends excluded, and lines from 1."""

    tokens: int
    start: int
    end: int
    line: int
    end_line: int
    source_start: int
    source_end: int
    source_line: int
    source_end_line: int


class FoundSource(TypedDict):
    """A source of a text."""

    document: Near
    share: float
    passages: list[FoundPassage]


class FoundSources(TypedDict):
    """The sources of a text, those with the largest shares first."""

    tokens: int
    covered_tokens: int
    sources: list[FoundSource]


class Client:
    """Asks and changes the index of a server.

    What may be tried again is: a full server (429, 503) after the time that it names, and a connection that broke. A
    request that comes twice does the same as once; only :meth:`delete` may say then that there was nothing to remove.
    Threads and processes that were forked may share a client.

    Args:
        url: Where the server listens, as ``http://127.0.0.1:8080``.
        token: A token of the server, to change the index and, beyond loopback, to ask.
        timeout: Seconds for an answer.
        retries: How often a request is tried again.
        context: How certificates are checked, for ``https``; the system's authorities if it is not given.

    Raises:
        ValueError: The address cannot be used.

    >>> import lookalike
    >>> lookalike.Client("http://127.0.0.1:8080")
    Client('http://127.0.0.1:8080')
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        token: str | None = None,
        timeout: float = 30.0,
        retries: int = 5,
        context: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            raise ValueError(f"url: expected http://HOST:PORT or https://HOST:PORT, found {url!r}")
        self._url = url
        self._is_tls, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._token, self._timeout, self._retries, self._context = token, timeout, retries, context
        self._local = threading.local()

    def __repr__(self) -> str:
        return f"Client({self._url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection of this thread; the next request opens another."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
        self._local.connection = None

    def search(
        self,
        text: str | None = None,
        *,
        items: Iterable[str] | None = None,
        vector: Iterable[float] | None = None,
        id: str | int | None = None,
        threshold: float | None = None,
        limit: int = 10,
        contained: str | None = None,
    ) -> list[Near]:
        """The documents that are near to a text, to items, to a vector, or to a document of the index; most similar first.

        Args:
            text: A text.
            items: Items, for an index of items.
            vector: Numbers, for an index of vectors.
            id: A document of the index.
            threshold: Minimum similarity (>=); the lowest that the index was made for, if it is not given.
            limit: Answers at most.
            contained: By containment: ``either``, ``in_reference``, ``of_reference``.

        Raises:
            ServerError: The server refuses.
            OSError: It cannot be reached.
        """
        asked: dict[str, Any] = {"text": text, "threshold": threshold, "limit": limit, "contained": contained}
        asked.update(_content(items, vector), id=None if id is None else str(id))
        found: list[Near] = self._json("POST", "/v1/search", _given(asked))["answers"]
        return found

    def search_many(
        self, texts: Iterable[str], *, threshold: float | None = None, limit: int = 10
    ) -> Iterator[list[Near]]:
        """The same for many texts, in their order; some are sent at a time. A text without tokens has no answers."""
        asked = (_given({"text": text, "threshold": threshold, "limit": limit}) for text in texts)
        for batch, _ in _batches(asked):
            for line in self._send("POST", "/v1/search", batch, _LINES).splitlines():
                yield json.loads(line)["answers"]

    def get(self, id: str | int) -> StoredDocument | None:
        """A document of the index; ``None`` if there is none with this id."""
        found = self._of_document("GET", id)
        stored: StoredDocument | None = None if found is None else json.loads(found)
        return stored

    def put(
        self,
        id: str | int,
        text: str | None = None,
        *,
        items: Iterable[str] | None = None,
        vector: Iterable[float] | None = None,
        fields: Mapping[str, Any] | None = None,
        ttl: int | None = None,
    ) -> bool:
        """Puts a document into the index, for ``ttl`` seconds if they are given.

        Returns:
            Whether it came in place of one with the same id.
        """
        replaced: bool = self._json("PUT", _document(id), _new(text, _content(items, vector), fields, ttl))["replaced"]
        return replaced

    def put_many(self, documents: Iterable[Mapping[str, Any]]) -> int:
        """Puts many documents, as mappings with ``id``, ``text`` (or ``items``, ``vector``), ``fields`` and ``ttl``.

        An id is a string, or an integer, which becomes one.

        Some are sent at a time, and of these all are there or none.

        Returns:
            How many were put.
        """
        count = 0
        for batch, size in _batches(_named(document) for document in documents):
            self._send("POST", "/v1/documents", batch, _LINES)
            count += size
        return count

    def delete(self, id: str | int) -> bool:
        """Removes a document; false if there is none with this id."""
        return self._of_document("DELETE", id) is not None

    def insert(
        self,
        id: str | int,
        text: str | None = None,
        *,
        threshold: float | None = None,
        items: Iterable[str] | None = None,
        vector: Iterable[float] | None = None,
        fields: Mapping[str, Any] | None = None,
        ttl: int | None = None,
    ) -> Near | None:
        """Puts a document into the index unless another is near, in one step.

        Returns:
            ``None`` if it was added, else the one that is near.
        """
        asked = {**_new(text, _content(items, vector), fields, ttl), "id": str(id), "threshold": threshold}
        near: Near | None = self._json("POST", "/v1/insert", _given(asked)).get("near")
        return near

    def sources(
        self,
        text: str,
        *,
        min_match: int = 5,
        gap: int = 3,
        limit: int = 20,
        threshold: float | None = None,
    ) -> FoundSources:
        """The sources of a text among the documents that are near to it, with the passages that stand in both.

        The index must store texts.
        """
        asked = {"text": text, "min_match": min_match, "gap": gap, "limit": limit, "threshold": threshold}
        found: FoundSources = self._json("POST", "/v1/sources", _given(asked))
        return found

    def compare(self, left: Mapping[str, str], right: Mapping[str, str]) -> dict[str, Any]:
        """Compares two documents, each ``{"text": ...}`` or ``{"id": ...}``, as the index compares them."""
        found: dict[str, Any] = self._json("POST", "/v1/compare", {"left": dict(left), "right": dict(right)})
        return found

    def family(self, id: str | int, *, threshold: float | None = None, limit: int = 100) -> list[str]:
        """The documents that near-duplicates of near-duplicates connect with one, it first.

        There may be more if there are ``limit``.
        """
        asked = urlencode(_given({"threshold": threshold, "limit": limit}))
        members = self._json("GET", f"/v1/families/{quote(str(id), safe='')}?{asked}")["members"]
        return [member["id"] for member in members]

    def stats(self) -> dict[str, Any]:
        """What the index is."""
        found: dict[str, Any] = self._json("GET", "/v1/stats")
        return found

    def is_ready(self) -> bool:
        """Whether the server answers, and can change the index if it may."""
        try:
            self._once("GET", "/readyz", None, None)
        except (ServerError, OSError, http.client.HTTPException):
            self.close()
            return False
        return True

    def _of_document(self, method: str, id: str | int) -> bytes | None:
        """The answer to a request about a document; ``None`` if there is none with this id."""
        try:
            return self._send(method, _document(id))
        except ServerError as error:
            if error.status == 404:
                return None
            raise

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        return json.loads(self._send(method, path, sent, None if body is None else "application/json"))

    def _send(self, method: str, path: str, body: bytes | None = None, kind: str | None = None) -> bytes:
        """Sends a request, and tries it again where that may help."""
        for attempt in range(self._retries + 1):
            wait = min(0.1 * 2**attempt, 5.0)
            try:
                return self._once(method, path, body, kind)
            except _TryAgain as error:
                if attempt == self._retries:
                    raise ServerError(error.status, error.detail) from None
                wait = max(wait, error.after)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                # Neither a certificate nor a slow answer gets better at once.
                if attempt == self._retries or isinstance(error, (ssl.SSLError, TimeoutError)):
                    if isinstance(error, OSError):
                        raise
                    raise ConnectionError(f"{self._url}: {error!r}") from error
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, method: str, path: str, body: bytes | None, kind: str | None) -> bytes:
        connection = self._connection()
        headers = {} if kind is None else {"Content-Type": kind}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request(method, path, body, headers)
        except BrokenPipeError:
            # The server may have refused before it took all: then its answer is there.
            if connection.sock is None:
                raise
        response = connection.getresponse()
        told = response.read()
        if response.status < 400:
            return told
        try:
            detail = str(json.loads(told)["detail"])
        except (ValueError, KeyError, TypeError):
            detail = response.reason
        if response.status in _TRY_AGAIN:
            after = response.headers.get("Retry-After", "0")
            raise _TryAgain(response.status, detail, float(after) if after.isdigit() else 0.0)
        raise ServerError(response.status, detail)

    def _connection(self) -> http.client.HTTPConnection:
        connection: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if connection is None or self._local.process != os.getpid():
            self._local.process = os.getpid()
            if self._is_tls:
                connection = http.client.HTTPSConnection(
                    self._host, self._port, timeout=self._timeout, context=self._context
                )
            else:
                connection = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
            self._local.connection = connection
        return connection


class _TryAgain(ServerError):
    """A server that is full, or about to stop."""

    def __init__(self, status: int, detail: str, after: float) -> None:
        super().__init__(status, detail)
        self.after = after


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _content(items: Iterable[str] | None, vector: Iterable[float] | None) -> dict[str, Any]:
    """What documents are that are no texts."""
    numbers = None if vector is None else [float(number) for number in vector]
    return {"items": None if items is None else list(items), "vector": numbers}


def _new(
    text: str | None, content: Mapping[str, Any], fields: Mapping[str, Any] | None, ttl: int | None
) -> dict[str, Any]:
    kept = None if fields is None else dict(fields)
    return _given({"text": text, **content, "fields": kept, "ttl": ttl})


def _document(id: str | int) -> str:
    return f"/v1/documents/{quote(str(id), safe='')}"


def _named(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document whose id is a string, as those of a server are."""
    given = dict(document)
    return {**given, "id": str(given["id"])} if isinstance(given.get("id"), int) else given


def _batches(objects: Iterable[Mapping[str, Any]]) -> Iterator[tuple[bytes, int]]:
    """Lines of JSON, some at a time, and how many."""
    lines: list[bytes] = []
    size = 0
    for one in objects:
        line = json.dumps(one).encode()
        if lines and (len(lines) == _BATCH or size + len(line) > _BATCH_BYTES):
            yield b"\n".join(lines), len(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield b"\n".join(lines), len(lines)
