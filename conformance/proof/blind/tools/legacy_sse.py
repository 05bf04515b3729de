"""The older HTTP+SSE transport: a stream at /sse and messages by POST."""
import json
import secrets
import threading

import rpc
from events import Stream, event
from replies import open_stream, refuse
from session import Session
from switches import BREAK, CHOICE, on, table, twist

PATH = "/messages"

table(
    "endpoint", "MCP: Transports: HTTP+SSE",
    (CHOICE, "endpoint-absolute", "The endpoint event carries an absolute URL.", lambda path, host, key: f"http://{host}{path}"),
    (CHOICE, "endpoint-with-id-in-path", "The endpoint has the session id in its path.",
     lambda path, host, key: f"{PATH}/{key}"),
    (CHOICE, "endpoint-with-more-parameters", "The endpoint has a further query parameter.",
     lambda path, host, key: path + "&v=1"),
    (BREAK, "endpoint-as-json", "The data of the endpoint event is a JSON string.", lambda path, host, key: json.dumps(path)),
    (BREAK, "endpoint-without-session", "The endpoint has no session id, and messages go to the newest stream.",
     lambda path, host, key: PATH),
    (BREAK, "endpoint-not-served", "The endpoint event names a path that is not served.", lambda path, host, key: "/nowhere"),
)
table("", "MCP: Transports: HTTP+SSE",
      (CHOICE, "messages-accepted-empty", "Messages are answered with 202 and no body."),
      (CHOICE, "messages-accepted-as-200", "Messages are answered with 200."),
      (CHOICE, "messages-accepted-as-204", "Messages are answered with 204."),
      (BREAK, "endpoint-event-late", "The endpoint event comes after 400 milliseconds, behind an event with a log notice."),
      (BREAK, "endpoint-event-named-message", "The endpoint event has the name message."),
      (BREAK, "endpoint-event-twice", "The endpoint event comes again after each message, with a new session id."),
      (BREAK, "answers-in-post-body", "Responses come in the body of the POST, not in the stream."),
      (BREAK, "answers-in-both-places", "Responses come in the body of the POST and in the stream."),
      (BREAK, "answers-to-newest-stream", "Responses go to the stream that was opened last."),
      (BREAK, "answers-to-all-streams", "Responses go to all open streams."),
      (BREAK, "sse-stream-ends-after-call", "The stream ends after the answer to the first tool call."))

_sessions = {}


class SseSession(Session):
    """A session whose messages all go to its one stream."""

    def __init__(self):
        super().__init__("sse", self.put)
        self.stream = Stream()

    def put(self, message):
        streams = [self.stream]
        everyone = [session.stream for session in _sessions.values()]
        answers = isinstance(message, list) or "method" not in message
        if answers and on("answers-to-newest-stream"):
            streams = everyone[-1:]
        if answers and on("answers-to-all-streams"):
            streams = everyone
        for stream in streams:
            stream.put(event(message, self))
        if answers and isinstance(message, dict) and "content" in str(message)[:60] and on("sse-stream-ends-after-call"):
            self.stream.close()


def open_session(handler):
    """GET /sse: open a stream whose first event names the endpoint for messages."""
    session, key = SseSession(), secrets.token_hex(16)
    _sessions[key] = session
    host = handler.headers.get("Host", "127.0.0.1")
    path = twist("endpoint", f"{PATH}?session_id={key}", host, key)
    open_stream(handler, {})
    if on("endpoint-event-late"):
        notice = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "Wait."}}
        handler.stream_write(event(notice, session))
        threading.Event().wait(0.4)
    name = "message" if on("endpoint-event-named-message") else "endpoint"
    text = twist("event text", f"event: {name}\ndata: {path}\n\n", None)
    handler.stream_write(text)
    session.endpoint_again = text.replace(key, secrets.token_hex(16))
    session.stream.pump(handler)
    _sessions.pop(key, None)


def post(handler, path, query):
    """A POST to the endpoint: take a message."""
    key = query.get("session_id", [path.removeprefix(PATH).strip("/")])[0]
    session = _sessions.get(key)
    if session is None and _sessions and on("endpoint-without-session"):
        session = list(_sessions.values())[-1]
    if session is None:
        return refuse(handler, 404, "No such session")
    try:
        message = json.loads(handler.body())
    except (ValueError, RecursionError):
        return handler.answer_json(400, rpc.parse_error(session))
    if on("answers-in-post-body") and rpc.is_request(message):
        rpc.serve(session, message, lambda m: handler.answer_json(200, m) if "method" not in m else session.put(m))
        return None
    if on("answers-in-both-places") and rpc.is_request(message):
        rpc.serve(session, message, lambda m: (session.put(m), "method" in m or handler.answer_json(200, m)))
        return None
    _accept(handler)
    if on("endpoint-event-twice"):
        session.stream.put(session.endpoint_again)
    if rpc.is_slow(message):
        threading.Thread(target=rpc.serve, args=(session, message, session.put), daemon=True).start()
    else:
        rpc.serve(session, message, session.put)
    return None


def _accept(handler):
    if on("messages-accepted-as-204"):
        handler.answer(204, "", None)
    elif on("messages-accepted-as-200"):
        handler.answer(200, "OK", "text/plain")
    else:
        handler.answer(202, "" if on("messages-accepted-empty") else "Accepted", "text/plain")
