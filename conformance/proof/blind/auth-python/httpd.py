"""The HTTP layer: a threading server with keep-alive that hands requests to a router."""
import json
import os
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

from core import Resp, S, json_resp, log


class Request:
    def __init__(self, method, target, headers, body, conn):
        self.method = method
        self.path, _, self.query = target.partition("?")
        self.headers = headers
        self.body = body
        self.conn = conn

    def header(self, name, default=None):
        return self.headers.get(name, default)

    def query_pairs(self):
        return parse_qsl(self.query, keep_blank_values=True)

    def form_pairs(self):
        return parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True)

    def content_type(self):
        return (self.header("Content-Type") or "").split(";")[0].strip().lower()

    def cookies(self):
        out = {}
        for part in (self.header("Cookie") or "").split(";"):
            name, sep, value = part.strip().partition("=")
            if sep:
                out.setdefault(name, value)
        return out


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "notes"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 120
    router = None

    def setup(self):
        super().setup()
        self.conn_memory = {}

    def log_message(self, form, *args):
        return

    def read_body(self):
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            data = b""
            while True:
                size = int(self.rfile.readline().split(b";")[0].strip() or b"0", 16)
                if size == 0:
                    while self.rfile.readline().strip():
                        pass
                    return data
                data += self.rfile.read(size)
                self.rfile.readline()
        size = self.headers.get("Content-Length") or "0"
        if not size.isdigit() or int(size) > 5_000_000:
            return None
        return self.rfile.read(int(size))

    def handle_any(self):
        body = self.read_body()
        if body is None:
            self.close_connection = True
            resp = Resp(413, "Request too large", "text/plain")
        else:
            req = Request(self.command, self.path, self.headers, body, self.conn_memory)
            try:
                resp = control(req) or Handler.router(req)
            except Exception as error:
                log("unexpected error: %s" % traceback.format_exc(limit=-3).replace("\n", " | "))
                resp = Resp(500, "Internal server error: " + type(error).__name__, "text/plain")
        self.send_response(resp.status)
        for name, value in resp.headers:
            self.send_header(name, value)
        no_body = resp.status in (204, 304)
        if not no_body:
            self.send_header("Content-Length", str(len(resp.body)))
        self.end_headers()
        if self.command != "HEAD" and not no_body:
            self.wfile.write(resp.body)
        self.wfile.flush()

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_OPTIONS = do_HEAD = handle_any


def control(req):
    """The clock of the tests; present only when CLOCK=1."""
    if os.environ.get("CLOCK") != "1" or req.path != "/__clock":
        return None
    if req.method != "POST":
        return Resp(405, "", None, [("Allow", "POST")])
    try:
        S.offset += float(json.loads(req.body)["advanceSeconds"])
    except (ValueError, KeyError, TypeError):
        return json_resp(400, {"error": "invalid_request"})
    return Resp(204)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    block_on_close = False
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        return
