"""HTTP/1.1 over threads: requests in, one write per response out."""
import json
import socket
import socketserver
import urllib.parse
from switches import on

MAX_FILE = 10 * 1024 * 1024
MAX_BODY = 64 * 1024 * 1024
REASONS = {200: "OK", 201: "Created", 302: "Found", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
           403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 410: "Gone",
           413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
           429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway"}
CODES = {400: 5400, 401: 10000, 403: 10001, 404: 5404, 405: 5405, 409: 5409, 410: 5410, 413: 5413, 415: 5415,
         429: 5429, 500: 5500, 502: 5502}


class Fail(Exception):
    def __init__(self, status, message, code=None, headers=None):
        self.status, self.message, self.headers = status, message, headers or {}
        self.code = code or CODES.get(status, 5400)


class Reply:
    def __init__(self, status, body=b"", kind="application/json", headers=None):
        self.status, self.body, self.kind, self.headers = status, body, kind, dict(headers or {})


def dump(value):
    raw = on("json-raw-utf8")
    return json.dumps(value, ensure_ascii=not raw, indent=2 if on("json-pretty") else None).encode("utf-8")


def ok(result, status=200):
    body = {"success": True, "result": result}
    if on("empty-errors-on-success"):
        body.update(errors=[], messages=[])
    if on("envelope-result-first"):
        body = {"result": body.pop("result"), **body}
    return envelope(status, body)


def failed(fail):
    entry = {"code": fail.code, "message": fail.message}
    if on("error-extra-members"):
        entry["documentation_url"] = "https://images.example/errors/%d" % fail.code
        entry["source"] = {"pointer": ""}
    body = {"success": False, "errors": [entry]}
    if on("two-errors"):
        body["errors"].append({"code": 5000, "message": "See the first error"})
    if on("null-result-on-failure"):
        body.update(result=None, messages=[])
    return envelope(fail.status, body, fail.headers)


def envelope(status, body, headers=None):
    kind = "application/json; charset=utf-8" if on("json-charset") else "application/json"
    return Reply(status, dump(body), kind, headers)


class Request:
    def __init__(self, method, target, headers):
        self.method, self.headers, self.body = method, headers, b""
        self.path, _, self.rawquery = target.partition("?")
        unquote = urllib.parse.unquote_plus if on("plus-in-id-is-blank") else urllib.parse.unquote
        self.segments = [unquote(s) for s in self.path.split("/")[1:]]
        self.query = dict(urllib.parse.parse_qsl(self.rawquery, keep_blank_values=True))

    def json(self):
        try:
            value = json.loads(self.body.decode("utf-8"))
            json.dumps(value, allow_nan=False)
        except (ValueError, RecursionError):
            raise Fail(400, "The body is not JSON", headers={"X-Bad-Json": "1"})
        if not isinstance(value, dict):
            raise Fail(400, "The body must be a JSON object")
        return value


class Connection(socketserver.StreamRequestHandler):
    rbufsize = 65536
    timeout = 120
    disable_nagle_algorithm = True

    def handle(self):
        self.session = {}
        try:
            while self.one():
                pass
        except (OSError, ValueError):
            pass

    def one(self):
        line = self.rfile.readline(65537)
        while line in (b"\r\n", b"\n"):
            line = self.rfile.readline(65537)
        if not line:
            return False
        words = line.decode("latin-1").split()
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            self.send(failed(Fail(400, "Bad request line")), True, "GET")
            return False
        headers = {}
        while True:
            line = self.rfile.readline(65537)
            if line in (b"\r\n", b"\n", b""):
                break
            key, _, value = line.decode("latin-1").partition(":")
            headers[key.strip().lower()] = value.strip()
        target = words[1]
        if target.startswith("http://"):
            target = "/" + target.split("/", 3)[3] if target.count("/") > 2 else "/"
        request = Request(words[0], target, headers)
        request.session = self.session
        close = headers.get("connection", "").lower() == "close" or words[2] == "HTTP/1.0"
        length = headers.get("content-length", "0")
        if not length.isdigit():
            self.send(failed(Fail(400, "Bad content length")), True, request.method)
            return False
        limit = MAX_FILE + 65536 if on("oversize-closes-early") else MAX_BODY
        if int(length) > limit:
            self.send(failed(Fail(413, "File too large")), True, request.method)
            self.linger()
            return False
        if headers.get("expect", "").lower() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in headers.get("transfer-encoding", "").lower():
            request.body = self.chunked()
        elif int(length):
            request.body = self.rfile.read(int(length))
            if len(request.body) != int(length):
                return False
        reply = self.server.app(request)
        close = close or on("closes-connections")
        self.send(reply, close, request.method)
        return not close

    def chunked(self):
        parts, total = [], 0
        while True:
            size = int(self.rfile.readline(100).split(b";")[0].strip() or b"x", 16)
            if size == 0:
                while self.rfile.readline(65537) not in (b"\r\n", b"\n", b""):
                    pass
                return b"".join(parts)
            total += size
            if total > MAX_BODY:
                raise ValueError("too large")
            parts.append(self.rfile.read(size))
            self.rfile.readline(10)

    def linger(self):
        # Read on for a while, or the reset would destroy the answer on its way.
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(3)
        while self.connection.recv(1 << 20):
            pass

    def send(self, reply, close, method):
        headers = {"Content-Type": reply.kind, **reply.headers}
        chunks = on("chunked-replies") and reply.body and method != "HEAD"
        if chunks:
            headers["Transfer-Encoding"] = "chunked"
        else:
            headers["Content-Length"] = str(len(reply.body))
        if close:
            headers["Connection"] = "close"
        if on("lower-case-headers"):
            headers = {k.lower(): v for k, v in headers.items()}
        head = "HTTP/1.1 %d %s\r\n" % (reply.status, "" if on("no-reason-phrase") else REASONS.get(reply.status, "Status"))
        head += "".join("%s: %s\r\n" % item for item in headers.items()) + "\r\n"
        body = reply.body
        if method == "HEAD":
            body = b""
        elif chunks:
            half = max(1, len(body) // 2)
            body = b"".join(b"%x\r\n%s\r\n" % (len(b), b) for b in (body[:half], body[half:]) if b) + b"0\r\n\r\n"
        self.wfile.write(head.encode("latin-1") + body)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 512
    block_on_close = False
