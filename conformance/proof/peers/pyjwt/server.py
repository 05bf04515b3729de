"""A small tool server whose tokens PyJWT verifies.

It serves streamable HTTP without sessions at /mcp of a free port of the loopback address. The
environment contains JWT_SECRET, JWT_ISSUER and JWT_AUDIENCE. When it is ready, it prints its port
and whether PyJWT validates `crit` as JSON. It exits when its standard input is closed.
"""
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"]
BOOKS = [{"id": "b-001", "title": "The Odyssey"}, {"id": "b-002", "title": "Middlemarch"}]
MAX_BYTES = 16 * 1024 * 1024

TOOL = {
    "name": "shelf_list_books",
    "description": "Lists all books of the shelf. Accepts response_format; returns ids and titles. "
    "Not for finding books by their author.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "response_format": {
                "type": "string",
                "enum": ["markdown", "json"],
                "default": "markdown",
                "description": "markdown for people, json for programs",
            }
        },
        "additionalProperties": False,
    },
    "annotations": {
        "title": "List books",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}


class RpcError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def list_books(arguments):
    form = arguments.get("response_format", "markdown")
    if form not in ("markdown", "json") or set(arguments) - {"response_format"}:
        raise RpcError(-32602, "Invalid arguments: response_format must be markdown or json")
    if form == "json":
        text = json.dumps({"books": BOOKS})
    else:
        text = "# Books\n\n" + "\n".join(f"- {book['title']} ({book['id']})" for book in BOOKS)
    return {"content": [{"type": "text", "text": text}]}


def call(method, params):
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in REVISIONS else REVISIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "shelf_mcp", "version": "1.0.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        if params.get("name") != TOOL["name"]:
            raise RpcError(-32602, "Unknown tool")
        return list_books(params.get("arguments") or {})
    raise RpcError(-32601, "Method not found")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def respond(self, status, body=b"", content_type="text/plain", headers=()):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def respond_json(self, status, message):
        self.respond(status, json.dumps({"jsonrpc": "2.0", **message}).encode(), "application/json")

    def is_authorized(self):
        authorization = self.headers.get("Authorization")
        if authorization is None:
            self.respond(401, b"Unauthorized", headers=[("WWW-Authenticate", "Bearer")])
            return False
        scheme, _, token = authorization.partition(" ")
        try:
            if scheme != "Bearer":
                raise jwt.InvalidTokenError("not a bearer token")
            jwt.decode(
                token,
                os.environ["JWT_SECRET"],
                algorithms=["HS256"],
                issuer=os.environ["JWT_ISSUER"],
                audience=os.environ["JWT_AUDIENCE"],
            )
        except jwt.InvalidTokenError:
            self.respond(403, b"Invalid token")
            return False
        return True

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BYTES:
            self.close_connection = True
            return self.respond(413)
        body = self.rfile.read(length)
        if self.path.partition("?")[0] != "/mcp":
            return self.respond(404)
        if self.headers.get("Origin") is not None:
            return self.respond(403, b"This origin is not allowed")
        if not self.is_authorized():
            return
        try:
            message = json.loads(body)
        except ValueError:
            error = {"code": -32700, "message": "Parse error"}
            return self.respond_json(400, {"id": None, "error": error})
        if not isinstance(message, dict):
            error = {"code": -32600, "message": "Invalid request"}
            return self.respond_json(400, {"id": None, "error": error})
        if self.headers.get("MCP-Protocol-Version", REVISIONS[0]) not in REVISIONS:
            return self.respond(400, b"This protocol version is not supported")
        if message.get("id") is None:
            return self.respond(202)
        try:
            result = call(message.get("method"), message.get("params") or {})
        except RpcError as error:
            reply = {"error": {"code": error.code, "message": str(error)}}
        else:
            reply = {"result": result}
        self.respond_json(200, {"id": message["id"], **reply})

    def refuse_method(self):
        if self.path.partition("?")[0] != "/mcp":
            return self.respond(404)
        if self.is_authorized():
            self.respond(405, headers=[("Allow", "POST")])

    do_GET = refuse_method
    do_DELETE = refuse_method


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The method that fixes CVE-2026-32597 is private, so its name may change.
    facts = {"port": server.server_port, "validatesCrit": hasattr(jwt.PyJWS, "_validate_crit")}
    print(json.dumps(facts), flush=True)
    sys.stdin.read()


main()
