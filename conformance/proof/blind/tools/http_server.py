"""The HTTP server for both HTTP transports and for the tester's controls."""
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import clock
import legacy_sse
import streamable
import upstream
from replies import refuse
from switches import on


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def version_string(self):
        return "lighthouse/1.0"

    def log_message(self, *args):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send_header(self, name, value):
        super().send_header(name.lower() if on("http-headers-in-lower-case") else name, value)

    def answer(self, status, text, content_type="text/plain", headers=None):
        """Send a complete answer."""
        content = text.encode("utf-8", "replace")
        if status >= 400 and on("http-status-always-200"):
            status = 200
        self.send_response(status)
        if content_type and status != 204:
            self.send_header("Content-Type", content_type)
        if status != 204:
            self.send_header("Content-Length", str(len(text if on("http-lengths-in-characters") else content)))
        self._common(headers or {})
        self.wfile.write(content)

    def answer_json(self, status, value, headers=None):
        kind = "application/json" + ("; charset=utf-8" if on("json-answers-with-charset") else "")
        self.answer(status, json.dumps(value, ensure_ascii=False), kind, headers)

    def _common(self, headers):
        """Headers of all answers, and the end of the headers."""
        for name, value in headers.items():
            self.send_header(name, value)
        if on("http-answers-with-cors"):
            self.send_header("Access-Control-Allow-Origin", "http://localhost")
        if on("http-closes-connections"):
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()

    def stream_start(self, headers, chunked=True):
        self.chunked = chunked
        self.send_response(200)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        self._common(headers)

    def stream_write(self, text):
        content = text.encode("latin-1" if on("streams-in-latin-1") else "utf-8", "replace")
        if self.chunked:
            length = len(text if on("http-lengths-in-characters") else content)
            content = b"%x\r\n%b\r\n" % (length, content)
        self.wfile.write(content)

    def stream_end(self):
        if self.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _serve(self):
        url = urllib.parse.urlsplit(self.path)
        path, method = url.path, self.command
        if path in ("/control/upstream", "/control/clock") and method == "POST":
            return self._control(path)
        if not streamable.origin_allowed(self):
            return refuse(self, 403, "This Origin is not allowed")
        if method == "POST" and int(self.headers.get("Content-Length") or 0) > 2000 and on("http-hangs-up-on-large-body"):
            self.close_connection = True
            return None
        if method == "OPTIONS" and on("http-answers-with-cors"):
            return self.answer(204, "", None, {"Access-Control-Allow-Methods": "GET, POST, DELETE"})
        if path == "/mcp":
            serve = {"POST": streamable.post, "GET": streamable.get, "DELETE": streamable.delete}.get(method)
            return serve(self) if serve else self.answer(405, "", None, {"Allow": "GET, POST, DELETE"})
        if path == "/sse":
            return legacy_sse.open_session(self) if method == "GET" else self.answer(405, "", None, {"Allow": "GET"})
        if path.startswith(legacy_sse.PATH) and method == "POST":
            return legacy_sse.post(self, path, urllib.parse.parse_qs(url.query))
        return self.answer(404, "Not found")

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_OPTIONS = do_HEAD = lambda self: self._guarded()

    def _guarded(self):
        try:
            self._serve()
        except OSError:
            self.close_connection = True

    def _control(self, path):
        """The tester's controls of the upstream and of the clock."""
        order = json.loads(self.body() or b"{}")
        if path.endswith("upstream"):
            upstream.set_base(order.get("url"))
        else:
            clock.set_offset(order.get("offsetSeconds", 0))
        self.answer_json(200, {"ok": True})


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Broken connections are not reported."""


def start():
    """Start serving; return the line for the operator."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    return {"http": f"{base}/mcp", "sse": f"{base}/sse",
            "upstreamControl": f"{base}/control/upstream", "clock": f"{base}/control/clock"}
