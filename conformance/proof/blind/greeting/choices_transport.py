"""Choices about gRPC itself: metadata, status, compression, other services."""

from registry import AUTH, HTTP2, PROTO, RPC, STATUS, VERSIONING
from registry import choice, refuse


async def early_headers(stream):
    await stream.context.send_initial_metadata((("x-greeting", "ready"),))


choice("early-headers", HTTP2 + "Responses, Response-Headers",
       "The response headers are sent when the stream opens, with the "
       "metadata x-greeting; the default sends them with the first response.",
       open=early_headers)


async def trailers(stream):
    stream.context.set_trailing_metadata((
        ("x-greeting-count", str(stream.sent)),
        ("x-greeting-bin", bytes([0, 255, 10]))))


choice("trailing-metadata", HTTP2 + "Responses, Custom-Metadata",
       "The trailers also hold the number of responses and a binary value.",
       end=trailers)


async def version(stream):
    await stream.context.send_initial_metadata((
        ("x-api-version", "7"), ("x-padding", "v" * 2000)))


choice("version-header", VERSIONING,
       "The response headers name a version and hold 2,000 bytes of padding.",
       open=version)


async def status_text(stream):
    stream.context.set_details("Tsch\u00fc\u00df \u2014 100%")


choice("status-text", HTTP2 + "Responses, Status-Message",
       "The status OK comes with a text that has non-ASCII letters and a "
       "percent sign.", end=status_text)

choice("gzip-responses", HTTP2 + "Message-Encoding",
       "Responses are compressed with gzip when the client accepts it.")


async def token(stream):
    names = [key for key, _ in stream.context.invocation_metadata()]
    if "authorization" not in names:
        refuse("UNAUTHENTICATED", "authorization metadata is missing")


choice("needs-authorization", AUTH + ": the concrete mechanism: not shown",
       "A call without authorization metadata ends with UNAUTHENTICATED; "
       "any value is accepted.", open=token)

choice("one-stream-per-connection", "HTTP/2: SETTINGS_MAX_CONCURRENT_STREAMS",
       "The server allows one concurrent stream on a connection; a client "
       "library holds the second one back.")


async def only_stream(stream):
    if len(stream.server.streams) > 1:
        refuse("RESOURCE_EXHAUSTED", "another stream is open")


choice("one-stream-per-server", "Limits: none shown for the greeting RPC",
       "A stream that opens while another one is open ends with "
       "RESOURCE_EXHAUSTED.", open=only_stream)

choice("connection-age", "HTTP/2: GOAWAY",
       "The server sends GOAWAY about one second after a connection "
       "started; open streams go on, new ones need a new connection.")

choice("small-messages-only", STATUS + ": RESOURCE_EXHAUSTED",
       "A request message of more than 1,024 bytes ends the stream with "
       "RESOURCE_EXHAUSTED.")

choice("malformed-invalid-argument", "Errors: status codes: not shown",
       "A request that is not a protobuf message ends the stream with "
       "INVALID_ARGUMENT; the default uses INTERNAL.")


def strict_types(stream, request, fields):
    if any(field.number in (1, 2) and field.wire != 2 for field in fields):
        refuse("INVALID_ARGUMENT", "a known field has a wrong wire type")
    return fields


choice("wrong-wire-type-refused", PROTO + "Encoding, wire types",
       "A name or request_id whose wire type is not length-delimited ends "
       "the stream with INVALID_ARGUMENT; the default takes it as unknown.",
       fields=strict_types)

choice("second-path", RPC,
       "The RPC is also served under the path without the package.")

choice("health-service", "gRPC health checking protocol",
       "The server also answers grpc.health.v1.Health/Check.")

choice("reflection-service", "gRPC server reflection protocol (v1alpha)",
       "The server also offers reflection and describes the RPC there.")
