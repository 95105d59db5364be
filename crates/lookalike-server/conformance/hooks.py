"""How schemathesis writes the bodies that are no JSON: lines of JSON, and streams of Arrow, which are any bytes here."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value, default=str).encode() + b"\n"


@schemathesis.serializer("application/vnd.apache.arrow.stream")
def stream(ctx: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value, default=str).encode()


@schemathesis.deserializer("application/x-ndjson")
def first_line(ctx: object, response: object) -> object:
    return json.loads(response.content.splitlines()[0])
