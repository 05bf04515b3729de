"""The streamable HTTP transport, at /mcp."""
import json
import secrets
import urllib.parse

import rpc
from events import Stream, event
from protocol import spoken_versions
from session import Session
from replies import Reply, open_stream, refuse
from switches import BREAK, CHOICE, on, table, twist

WHERE = "MCP: Transports: streamable HTTP"

table(
    "session id", WHERE,
    (CHOICE, "session-ids-long", "Session ids are long, with dots and dashes.",
     lambda key: f"v1.{key}-{secrets.token_urlsafe(90)}"),
    (CHOICE, "session-ids-with-punctuation", "Session ids hold punctuation such as !~|.", lambda key: "!~|" + key),
    (BREAK, "session-ids-with-space", "Session ids hold a space.", lambda key: key[:8] + " " + key[8:]),
    (BREAK, "session-ids-beyond-ascii", "Session ids hold a character beyond ASCII.", lambda key: key + "é"),
)
table("", WHERE,
      (CHOICE, "no-session-ids", "The server gives no session ids: all clients of streamable HTTP share one session."),
      (CHOICE, "session-header-optional", "A request without a session id is served in the session opened last."),
      (CHOICE, "session-header-in-every-answer", "Each answer carries the session id, not only that of initialize."),
      (CHOICE, "session-header-in-lower-case", "The header with the session id is written in lower case."),
      (CHOICE, "get-not-offered", "GET at /mcp is answered with 405."),
      (CHOICE, "get-streams-one-per-session", "A second GET stream of a session is answered with 409."),
      (CHOICE, "delete-not-offered", "DELETE at /mcp is answered with 405."),
      (CHOICE, "delete-with-204", "DELETE at /mcp is answered with 204."),
      (CHOICE, "accept-checked", "A POST that does not accept both JSON and event streams is answered with 406."),
      (CHOICE, "content-type-checked", "A POST whose content type is not application/json is answered with 415."),
      (BREAK, "accepted-as-200", "Notifications and responses are answered with status 200 and the body null."),
      (BREAK, "accepted-as-204", "Notifications and responses are answered with status 204."),
      (BREAK, "accepted-with-body", "Notifications and responses are answered with status 202 and a JSON body."),
      (BREAK, "responses-refused-with-400", "A response of the client is answered with status 400, though it is used."),
      (BREAK, "origin-not-checked", "Requests with a foreign Origin are served."),
      (BREAK, "origin-checked-by-prefix", "A foreign Origin that begins with http://localhost, such as http://localhost.evil.test, is served."),
      (BREAK, "version-header-ignored", "An unsupported MCP-Protocol-Version header is ignored."),
      (BREAK, "version-header-required", "A request without an MCP-Protocol-Version header is answered with 400."),
      (BREAK, "version-header-served-as-error", "An unsupported MCP-Protocol-Version header is answered with status 200 and an error."),
      (BREAK, "ended-session-gets-400", "A request of a session that has ended is answered with 400, not 404."),
      (BREAK, "ended-session-served", "DELETE is answered with 200, and the session is still served."),
      (BREAK, "unknown-session-served", "A request with an unknown session id gets a new session, not 404."),
      (BREAK, "session-lost-after-ten", "The tenth and later requests of a session are answered with 400 as for a missing session id."),
      (BREAK, "get-as-json", "GET at /mcp is answered with 200 and JSON."),
      (BREAK, "get-as-404", "GET at /mcp is answered with 404."),
      (BREAK, "http-parse-error-accepted", "A body that is not JSON is answered with 202."))

_sessions = {}
_ended = set()
_shared = []


class HttpSession(Session):
    """A session of streamable HTTP with its GET streams."""

    def __init__(self):
        super().__init__("http", self.send_apart)
        self.streams, self.unsent, self.requests = [], [], 0

    def can_ask(self):
        return not on("answers-as-json") or self.has_stream()

    def has_stream(self):
        """Whether a GET stream is open."""
        return any(stream.open for stream in self.streams)

    def send_apart(self, message):
        """Send what belongs to no request: on the newest GET stream, or when one opens."""
        self.streams = [stream for stream in self.streams if stream.open]
        if self.streams:
            self.streams[-1].put(event(message, self))
        else:
            self.unsent.append(message)


def origin_allowed(handler):
    """Whether the Origin header is absent or names this machine."""
    origin = handler.headers.get("Origin")
    if origin is None or on("origin-not-checked"):
        return True
    if on("origin-checked-by-prefix") and origin.startswith(("http://localhost", "http://127.0.0.1")):
        return True
    return urllib.parse.urlsplit(origin).hostname in ("localhost", "127.0.0.1", "::1")


def post(handler):
    accept = handler.headers.get("Accept", "*/*")
    if on("accept-checked") and "*/*" not in accept and not ("json" in accept and "event-stream" in accept):
        return refuse(handler, 406, "Accept must name application/json and text/event-stream")
    if on("content-type-checked") and not handler.headers.get("Content-Type", "").startswith("application/json"):
        return refuse(handler, 415, "Content-Type must be application/json")
    try:
        message = json.loads(handler.body())
    except (ValueError, RecursionError):
        if on("http-parse-error-accepted"):
            return handler.answer(202, "", None)
        return handler.answer_json(400, rpc.parse_error(HttpSession()))
    if rpc.is_request(message) and message["method"] == "initialize":
        session, headers = _new_session()
    else:
        session, headers = _session_of(handler), {}
        if session is None or not _version_good(handler, message):
            return None
    if message == [] and on("empty-batch-empty-answer"):
        return handler.answer_json(200, [])
    wrong = rpc.malformed(message) or rpc.refused_batch(session, message)
    if wrong:
        return handler.answer_json(400, wrong)
    many = message if isinstance(message, list) else [message]
    if not any(rpc.is_request(one) or rpc.malformed(one) for one in many):
        return _accept(handler, session, message)
    if on("session-header-in-every-answer"):
        headers = headers or {"Mcp-Session-Id": session.key}
    reply = Reply(handler, session, headers)
    rpc.serve(session, message, reply.send)
    reply.finish()
    return None


def _accept(handler, session, message):
    """Answer a POST that holds notifications and responses only."""
    rpc.serve(session, message, lambda answer: None)
    if on("accepted-as-200"):
        return handler.answer_json(200, None)
    if on("accepted-with-body"):
        return handler.answer_json(202, {"accepted": True})
    if on("responses-refused-with-400") and isinstance(message, dict) and "method" not in message:
        return refuse(handler, 400, "No such request")
    return handler.answer(204 if on("accepted-as-204") else 202, "", None)


def _new_session():
    if on("no-session-ids") and _shared:
        _shared[0].log_level = None
        return _shared[0], {}
    session = HttpSession()
    session.key = twist("session id", secrets.token_hex(16))
    _sessions[session.key] = session
    if on("no-session-ids"):
        _shared[:] = [session]
        return session, {}
    return session, {"mcp-session-id" if on("session-header-in-lower-case") else "Mcp-Session-Id": session.key}


def _session_of(handler):
    """The session that the request names; None after a refusal."""
    if on("no-session-ids"):
        if not _shared:
            _new_session()
        return _shared[0]
    key = handler.headers.get("Mcp-Session-Id")
    if key is None and _sessions and on("session-header-optional"):
        return list(_sessions.values())[-1]
    if key is None:
        return refuse(handler, 400, "Mcp-Session-Id is missing")
    session = _sessions.get(key)
    if session is None and on("unknown-session-served") and key not in _ended:
        session = _new_session()[0]
        session.version = "2025-06-18"
    if session is None:
        return refuse(handler, 400 if key in _ended and on("ended-session-gets-400") else 404, "No such session")
    session.requests += 1
    if session.requests >= 10 and on("session-lost-after-ten"):
        return refuse(handler, 400, "Mcp-Session-Id is missing")
    return session


def _version_good(handler, message=None):
    version = handler.headers.get("MCP-Protocol-Version")
    if version is None and on("version-header-required"):
        refuse(handler, 400, "MCP-Protocol-Version is missing")
        return False
    if version is None or version in spoken_versions() or on("version-header-ignored"):
        return True
    if on("version-header-served-as-error") and rpc.is_request(message):
        handler.answer_json(200, rpc.error_response(message["id"], -32600, "Unsupported protocol version"))
        return False
    refuse(handler, 400, f"Unsupported protocol version {version}")
    return False


def get(handler):
    if on("get-not-offered"):
        return handler.answer(405, "", None, {"Allow": "POST, DELETE"})
    if on("get-as-json"):
        return handler.answer_json(200, {"name": "lighthouse_mcp"})
    if on("get-as-404"):
        return refuse(handler, 404, "Not found")
    session = _session_of(handler)
    if session is None or not _version_good(handler):
        return None
    if on("get-streams-one-per-session") and session.has_stream():
        return refuse(handler, 409, "There is a stream already")
    stream = Stream()
    open_stream(handler, {})
    for message in session.unsent:
        stream.put(event(message, session))
    session.unsent = []
    session.streams.append(stream)
    return stream.pump(handler)


def delete(handler):
    if on("delete-not-offered"):
        return handler.answer(405, "", None, {"Allow": "GET, POST"})
    session = _session_of(handler)
    if session is None:
        return None
    if not on("ended-session-served"):
        _sessions.pop(session.key, None)
        _ended.add(session.key)
        for stream in session.streams:
            stream.close()
    return handler.answer(204 if on("delete-with-204") else 200, "", None)
