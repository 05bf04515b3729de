"""Shared state of the server: active switches, the clock, answers and small helpers."""
import html
import json
import os
import secrets
import sys
import threading
import time
from urllib.parse import urlencode, urlsplit, urlunsplit

ACTIVE = set()
LOCK = threading.RLock()


def on(name):
    """True when the switch is turned on."""
    return name in ACTIVE


class State:
    """Everything the server remembers while it runs."""
    pattern = "jwt"
    origin = ""
    offset = 0.0
    log_lines = 0

    def __init__(self):
        self.clients = {}      # client_id -> registered metadata
        self.codes = {}        # authorization code -> grant details
        self.access = {}       # access token -> details
        self.refresh = {}      # refresh token -> details
        self.browsers = {}     # browser cookie -> {"user", "csrf", "approved"}
        self.txns = {}         # pending authorization requests
        self.upstates = {}     # states sent to the upstream provider
        self.sessions = {}     # Mcp-Session-Id -> {"principal", "version"}
        self.ended = set()     # ended MCP sessions
        self.items = {}        # login -> list of notes
        self.users = {}        # provider user store
        self.approved = set()  # remembered consents
        self.misc = {}         # memory of single switches
        self.counter = 0
        self.jwt_secret = secrets.token_hex(32)
        self.jwt_issuer = "https://issuer.example/auth"
        self.jwt_audience = "https://tools.example/mcp"
        self.rs_id = "resource-server"
        self.rs_secret = secrets.token_urlsafe(24)

    def next_number(self):
        with LOCK:
            self.counter += 1
            return self.counter


S = State()
SCOPES = ["items:read", "items:write", "items:write:draft"]
DEFAULT_SCOPE = "items:read"


def now():
    return time.time() + S.offset


def log(text):
    """Write at most 300 lines to stderr."""
    if S.log_lines < 300:
        S.log_lines += 1
        print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)


def random_token(size=32):
    return secrets.token_urlsafe(size)


class Resp:
    """One HTTP answer."""

    def __init__(self, status, body=b"", ctype=None, headers=None):
        self.status = status
        self.body = body.encode("utf-8", "replace") if isinstance(body, str) else body
        self.headers = list(headers or [])
        if ctype:
            self.headers.insert(0, ("Content-Type", ctype))

    def add(self, name, value):
        self.headers.append((name, value))
        return self


def json_resp(status, value, headers=None, ctype="application/json"):
    return Resp(status, json.dumps(value, ensure_ascii=False), ctype, headers)


def page(status, title, inner, headers=None):
    """An HTML page with the headers that keep it out of frames and caches."""
    heads = [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
    if not on("consent-page-frameable"):
        heads += [("X-Frame-Options", "DENY"), ("Content-Security-Policy", "frame-ancestors 'none'")]
    text = ("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head>"
            "<body><h1>%s</h1>%s</body></html>" % (html.escape(title), html.escape(title), inner))
    return Resp(status, text, "text/html; charset=utf-8", heads + list(headers or []))


def redirect(url, headers=None, status=None):
    if status is None:
        status = 303 if on("redirect-with-303") else 302
        if on("redirect-with-307"):
            status = 307
    safe = "".join(c if 32 < ord(c) < 127 else "%%%02X" % b
                   for c in url for b in ([ord(c)] if ord(c) < 128 else c.encode()[:1]))
    if any(ord(c) > 127 for c in url):
        safe = "".join(chr(b) if 32 < b < 127 else "%%%02X" % b for b in url.encode())
    return Resp(status, b"", None, [("Location", safe), ("Cache-Control", "no-store")] + list(headers or []))


def add_query(url, pairs):
    """Add parameters to a URL and keep the query it already has."""
    parts = urlsplit(url)
    extra = urlencode(pairs)
    query = parts.query + "&" + extra if parts.query else extra
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, parts.fragment))


def add_fragment(url, pairs):
    return url + "#" + urlencode(pairs)


def resource_url():
    return S.origin + "/mcp"


def env(name):
    return os.environ.get(name, "")


def esc(text):
    return html.escape(str(text), quote=True)


def scopes_of(text):
    return [s for s in text.split(" ") if s]
