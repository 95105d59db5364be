"""The client, against a server of the command that the package brings along."""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lookalike
import pytest

TOKEN = "write-write-write-write"
WORDS = [f"w{number}" for number in range(400)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[lookalike.Client]:
    texts = {f"d{number}": " ".join(WORDS[number * 40 : number * 40 + 60]) for number in range(8)}
    lookalike.Index.create(tmp_path / "test.idx", texts, 0.1, store_texts=True)
    (tmp_path / "tokens").write_text(f"write {TOKEN}\n")
    command = [sys.executable, "-m", "lookalike", "serve", tmp_path / "test.idx", "--listen", "127.0.0.1:0"]
    command += ["--tokens", tmp_path / "tokens", "--log", "errors", "--queue", "4", "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = server.stderr.readline().rsplit(" ", 1)[1].strip()
        with lookalike.Client(address, token=TOKEN) as asking:
            yield asking
        server.terminate()
        assert server.wait(30) == 0


def test_documents_come_go_and_are_found(client: lookalike.Client) -> None:
    assert client.is_ready()
    assert client.stats()["documents"] == 8
    assert [near["id"] for near in client.search(id="d3")] == ["d2", "d4"]
    text = "the harbour stays closed until friday"
    assert not client.put("a/b ü", text)
    assert client.put("a/b ü", text)
    assert client.search("The harbour stays closed until Friday!", threshold=0.9) == [
        {"id": "a/b ü", "rank": 1, "similarity": 1.0, "reason": "equal"}
    ]
    stored = client.get("a/b ü")
    assert stored is not None
    assert stored["text"] == text
    near = client.insert("copy", text, threshold=0.9)
    assert near is not None
    assert near["id"] == "a/b ü"
    assert client.delete("a/b ü")
    assert not client.delete("a/b ü")
    assert client.get("a/b ü") is None
    assert client.insert("copy", text, threshold=0.9) is None
    # What broke off may be sent again: a document is not near to itself.
    assert client.insert("copy", text, threshold=0.9) is None


def test_many_are_sent_at_a_time(client: lookalike.Client) -> None:
    documents = [{"id": f"m{number}", "text": f"x{number} y{number} z{number} a b"} for number in range(2_500)]
    assert client.put_many(documents) == 2_500
    found = list(client.search_many([*(str(one["text"]) for one in documents), "!"], limit=1))
    assert [near[0]["id"] for near in found[:-1]] == [one["id"] for one in documents]
    assert found[-1] == []


def test_ids_may_be_integers(client: lookalike.Client) -> None:
    text = "a text that nobody else has put into this index before"
    assert client.put_many([{"id": 4711, "text": text}]) == 1
    assert [near["id"] for near in client.search(text, limit=1)] == ["4711"]
    assert client.put(4711, text) and client.get(4711) is not None and client.search(id=4711, threshold=0.9) == []
    near = client.insert(4712, text, threshold=0.9)
    assert near is not None and near["id"] == "4711" and client.family(4711) == ["4711"]
    assert client.delete(4711)


def test_sources_families_and_comparisons(client: lookalike.Client) -> None:
    found = client.sources("my own " + " ".join(WORDS[45:70]))
    assert found["covered_tokens"] == 25
    assert {source["document"]["id"] for source in found["sources"]} == {"d0", "d1"}
    assert client.family("d0")[:2] == ["d0", "d1"]
    assert len(client.family("d0", limit=3)) == 3
    assert client.compare({"id": "d0"}, {"text": " ".join(WORDS[:60])})["reason"] == "identical"


def test_refusals_have_the_words_of_the_server(client: lookalike.Client) -> None:
    with pytest.raises(lookalike.ServerError, match=r"the document has no tokens.*\(422\)"):
        client.put("x", "")
    with pytest.raises(lookalike.ServerError, match="the index is one of texts") as refused:
        client.search(items=["a"])
    assert refused.value.status == 400
    with pytest.raises(lookalike.ServerError, match="token"):
        lookalike.Client(client._url).delete("d0")
    with pytest.raises(ValueError, match="expected http://HOST:PORT"):
        lookalike.Client("localhost:8080")
    with pytest.raises(OSError, match="refused"):
        lookalike.Client("http://127.0.0.1:1", retries=0).stats()
    waiting = lookalike.Client("http://127.0.0.1:1")
    assert [waiting.is_ready(), waiting.is_ready()] == [False, False]


def test_a_full_server_is_asked_again(client: lookalike.Client) -> None:
    text = " ".join(f"v{number}" for number in range(30_000))

    def ask(_: int) -> int:
        with lookalike.Client(client._url, retries=30) as own:
            return len(own.search(text))

    with ThreadPoolExecutor(24) as threads:
        assert set(threads.map(ask, range(48))) == {0}


class _Flaky(http.server.BaseHTTPRequestHandler):
    """Refuses twice, breaks off once, and answers then."""

    asked = 0

    def do_GET(self) -> None:
        _Flaky.asked += 1
        if _Flaky.asked == 3:
            self.close_connection = True
            return
        is_good = _Flaky.asked > 3
        body = json.dumps({"documents": 1} if is_good else {"detail": "full"}).encode()
        self.send_response(200 if is_good else 429)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_what_breaks_off_is_tried_again() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Flaky) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start = time.monotonic()
        assert lookalike.Client(f"http://127.0.0.1:{server.server_port}").stats() == {"documents": 1}
        assert (_Flaky.asked, time.monotonic() - start > 0.5) == (4, True)
        server.shutdown()
