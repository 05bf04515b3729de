"""Streamable HTTP: POST, GET and DELETE on /mcp."""
import json
import queue
import secrets
import socket
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import protocol
import session as sessions
from session import Session
from switches import on

PATH = "/mcp"
LOCAL = {"localhost", "127.0.0.1", "::1"}
UUID_LENGTH = 36


def new_session_id():
    if on("odd-session-id"):
        alphabet = [chr(c) for c in range(0x21, 0x7F)]
        return "!~" + "".join(secrets.choice(alphabet) for _ in range(150))
    return str(uuid.uuid4())


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass  # a client that went away is no news


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536
    server_version = "museum"
    harmless = False

    def log_message(self, *args):
        pass

    def send_header(self, name, value):
        super().send_header(name.lower() if on("lowercase-headers") else name, value)

    # -- answers ---------------------------------------------------------
    def answer(self, status, body=b"", kind="application/json", extra=()):
        if on("charset-in-content-type") and kind == "application/json":
            kind = "application/json; charset=utf-8"
        self.send_response(status)
        for name, value in extra:
            self.send_header(name, value)
        if body:
            self.send_header("Content-Type", kind)
        chunked = on("chunked-json") and body
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif status != 204:
            self.send_header("Content-Length", str(len(body)))
        if on("close-each-connection"):
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if chunked:
            half = len(body) // 2
            for part in (body[:half], body[half:]):
                if part:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.write(body)
        self.wfile.flush()

    def refuse(self, status, code, text, extra=()):
        self.answer(status, protocol.dump(protocol.error_message(None, code, text)).encode(), extra=extra)

    # -- checks common to the three methods --------------------------------
    def origin_good(self):
        origin = self.headers.get("Origin")
        if origin is None:
            return True
        if (self.command == "GET" and on("origin-unchecked-get")) or \
                (self.command == "DELETE" and on("origin-unchecked-delete")):
            return True
        if on("origin-none-allowed"):
            return False
        if on("origin-prefix-match") and origin.startswith("http://localhost"):
            return True
        try:
            parts = urlsplit(origin)
            return parts.scheme in ("http", "https") and parts.hostname in LOCAL
        except ValueError:
            return False

    def gate(self):
        """True when path and origin are good; else the refusal has been sent."""
        if urlsplit(self.path).path != PATH:
            self.refuse(404, -32600, "Not found")
        elif not self.origin_good():
            self.refuse(400 if on("origin-refused-400") else 403, -32600, "Forbidden origin")
        else:
            return True
        return False

    def version_good(self):
        version = self.headers.get("MCP-Protocol-Version")
        return version is None or version in protocol.versions()

    def find_session(self):
        """The session that the header names, or None when the refusal has been sent."""
        if on("stateless"):
            return self.ephemeral()
        key = self.headers.get("Mcp-Session-Id")
        if key is None:
            if on("session-optional") and self.command == "POST":
                return self.ephemeral()
            self.refuse(400, -32600, "Mcp-Session-Id is required")
            return None
        with sessions.LOCK:
            session = sessions.SESSIONS.get(key)
            if session is None and on("unknown-session-adopted") and len(key) == UUID_LENGTH and key.count("-") == 4 \
                    and key not in ENDED:
                session = sessions.SESSIONS[key] = Session(key)
                session.state = "ready"
        if session is None:
            if key in ENDED and on("deleted-session-still-lists") and self.command == "POST" and self.harmless:
                return ENDED[key]
            self.refuse(404, -32001, "Session not found")
        return session

    def ephemeral(self):
        session = Session(None, ephemeral=True)
        session.state = "ready"
        return session

    # -- POST --------------------------------------------------------------
    def do_POST(self):
        body = self.read_body()
        if body is None or not self.gate():
            return
        accept = self.headers.get("Accept", "").lower()
        both = "*/*" in accept or (("application/json" in accept or "application/*" in accept)
                                   and ("text/event-stream" in accept or "text/*" in accept))
        if not both and not on("lenient-accept"):
            self.refuse(406, -32600, "Accept must list application/json and text/event-stream")
            return
        if self.headers.get_content_type() != "application/json":
            self.refuse(415, -32600, "Content-Type must be application/json")
            return
        latin = on("body-read-as-latin1") and "charset" not in self.headers.get("Content-Type", "").lower()
        try:
            message = json.loads(body.decode("latin-1" if latin else "utf-8"))
        except (ValueError, RecursionError):
            self.answer(400, protocol.dump(protocol.parse_error()).encode())
            return
        kind = protocol.kind(message)
        if kind is None:
            self.answer(400, protocol.dump(protocol.invalid_request(message)).encode())
        elif kind == "request" and message["method"] == "initialize":
            self.initialize(message)
        else:
            self.with_session(kind, message)

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            parts = []
            while True:
                size = int(self.rfile.readline().split(b";")[0] or b"0", 16)
                parts.append(self.rfile.read(size))
                self.rfile.readline()
                if size == 0:
                    return b"".join(parts)
        try:
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        except ValueError:
            self.close_connection = True
            self.refuse(400, -32600, "Bad Content-Length")
            return None

    def initialize(self, message):
        if self.headers.get("Mcp-Session-Id") and not on("stateless"):
            session = self.find_session()
            if session:
                self.serve(session, message)
            return
        if on("stateless"):
            session = self.ephemeral()
            session.state = "new"
            self.serve(session, message)
            return
        session = Session(new_session_id())
        response, _ = protocol.handle(session, message, lambda m: None)
        extra = []
        if "result" in response:
            with sessions.LOCK:
                sessions.SESSIONS[session.id] = session
            extra = [("Mcp-Session-Id", session.id)]
        if on("always-sse"):
            stream = Stream(self, extra)
            stream.send(response)
            stream.end()
        else:
            self.answer(200, protocol.dump(response).encode(), extra=extra)

    def with_session(self, kind, message):
        self.harmless = message.get("method") in ("tools/list", "ping")
        session = self.find_session()
        if session is None:
            return
        if not self.version_good() and not (kind != "request" and on("version-header-unchecked-notify")):
            self.refuse(400, -32600, "Unsupported MCP-Protocol-Version")
            return
        if kind == "request":
            self.serve(session, message)
            return
        if kind == "notification":
            protocol.notified(session, message)
        else:
            session.answered(message)
        method = message.get("method")
        if method == "notifications/roots/list_changed" and on("roots-notification-200"):
            self.answer(200, b"{}")
        elif method == "notifications/cancelled" and on("cancel-202-has-body"):
            self.answer(202, b'{"status":"accepted"}')
        else:
            self.answer(202)

    def serve(self, session, message):
        """A request: JSON when nothing else had to be said, an event stream otherwise."""
        stream = Stream(self)
        response, after = protocol.handle(session, message, stream.send)
        if response is not None and not stream.open and not on("always-sse"):
            self.answer(200, protocol.dump(response).encode())
            return
        if response is not None:
            stream.send(response)
        else:
            stream.begin()
        if after:
            after()
        stream.end()

    # -- GET and DELETE ------------------------------------------------------
    def do_GET(self):
        if not self.gate():
            return
        if on("no-get-stream") or on("stateless"):
            self.refuse(405, -32600, "No stream here", [("Allow", "POST")])
            return
        accept = self.headers.get("Accept", "").lower()
        if not any(kind in accept for kind in ("text/event-stream", "text/*", "*/*")):
            self.refuse(406, -32600, "Accept must list text/event-stream")
            return
        session = self.find_session()
        if session is None:
            return
        if not self.version_good() and not on("version-header-unchecked-get"):
            self.refuse(400, -32600, "Unsupported MCP-Protocol-Version")
            return
        self.listen(session)

    def listen(self, session):
        messages = queue.Queue()
        session.push = messages.put  # the newest stream alone gets the messages
        mine = session.push
        stream = Stream(self)
        stream.begin()
        try:
            stream.comment("open")
            while session.push == mine:
                try:
                    message = messages.get(timeout=5)
                except queue.Empty:
                    stream.comment("alive")
                    continue
                if message is None:
                    break
                stream.send(message)
            stream.end()
        except OSError:
            self.close_connection = True
        finally:
            if session.push == mine:
                session.push = None

    def do_DELETE(self):
        if not self.gate():
            return
        if on("no-session-delete") or on("stateless"):
            self.refuse(405, -32600, "Sessions are not ended by clients", [("Allow", "GET, POST")])
            return
        session = self.find_session()
        if session is None:
            return
        if not self.version_good():
            self.refuse(400, -32600, "Unsupported MCP-Protocol-Version")
            return
        with sessions.LOCK:
            sessions.SESSIONS.pop(session.id, None)
            ENDED[session.id] = session
        for ctx in list(session.inflight.values()):
            ctx.cancelled.set()
        if session.push:
            session.push(None)
        if on("delete-session-200-body"):
            self.answer(200, b'{"ended":true}')
        else:
            self.answer(204)

    def other(self):
        self.close_connection = True  # a body may follow that nobody reads
        if self.gate():
            self.refuse(405, -32600, "Method not allowed", [("Allow", "GET, POST, DELETE")])

    do_PUT = do_PATCH = do_OPTIONS = other


ENDED = {}


class Stream:
    """An event stream as the answer to one HTTP request; opens when the first message is sent."""

    def __init__(self, handler, extra=()):
        self.handler, self.extra = handler, extra
        self.open = False
        self.count = 0
        self.lock = threading.Lock()
        self.end_line = "\r\n" if on("sse-crlf") else "\n"

    def begin(self):
        if self.open:
            return
        self.open = True
        handler = self.handler
        handler.send_response(200)
        for name, value in self.extra:
            handler.send_header(name, value)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Cache-Control", "no-cache")
        handler.send_header("Transfer-Encoding", "chunked")
        if on("close-each-connection"):
            handler.send_header("Connection", "close")
            handler.close_connection = True
        handler.end_headers()
        if on("sse-ids-and-comments"):
            self.write(f": hello{self.end_line}retry: 1000{self.end_line * 2}")
        handler.wfile.flush()

    def write(self, text):
        raw = text.encode()
        self.handler.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self.handler.wfile.flush()

    def comment(self, text):
        with self.lock:
            self.write(f": {text}{self.end_line * 2}")

    def send(self, message):
        with self.lock:
            self.begin()
            self.count += 1
            lines = [] if on("sse-no-space") else ["event: message"]
            if on("sse-ids-and-comments"):
                lines += [": note", f"id: {id(self):x}-{self.count}"]
            text = protocol.dump(message, 1 if on("sse-multiline-data") else None)
            for line in text.split("\n"):
                lines.append(("data:" if on("sse-no-space") else "data: ") + line)
            try:
                self.write(self.end_line.join(lines) + self.end_line * 2)
            except OSError:
                # The client went away; MCP says that this is no cancellation.
                self.handler.close_connection = True

    def end(self):
        with self.lock:
            try:
                self.handler.wfile.write(b"0\r\n\r\n")
                self.handler.wfile.flush()
            except OSError:
                self.handler.close_connection = True


def start():
    Server.address_family = socket.AF_INET
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}{PATH}"
