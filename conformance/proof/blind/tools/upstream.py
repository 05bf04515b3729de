"""Requests to the upstream API."""
import contextlib
import http.client
import json
import os
import socket
import threading
import urllib.parse

import clock
from data import SERVICE
from switches import BREAK, CHOICE, on, table, twist

TIMEOUT_SECONDS = 30

_base = {"url": os.environ.get("UPSTREAM_URL") or None}


class UpstreamStatus(Exception):
    """The upstream answered with a status that is not a success."""

    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class UpstreamTimeout(Exception):
    """The upstream did not answer in time."""


table("upstream timeout", "Limits",
      (BREAK, "timeout-of-60-seconds", "An upstream request times out after 60 seconds only.", lambda s: 60),
      (BREAK, "timeout-of-5-seconds", "An upstream request times out after 5 seconds already.", lambda s: 5),
      (BREAK, "timeout-never", "An upstream request never times out.", lambda s: 1e9))
table("", "Limits",
      (BREAK, "timeout-ends-with-headers",
       "When the upstream has sent its headers and then hangs in the body, the request never times out."),
      (BREAK, "timeout-only-for-gets", "Upstream requests that write (POST, PUT, DELETE) never time out."))
table("", "Errors",
      (CHOICE, "follows-redirects", "An upstream answer 301, 302, 307 or 308 to a GET is followed to its Location once."),
      (CHOICE, "retries-503-once", "When the upstream answers 503 to a GET, the server asks once more."),
      (BREAK, "status-503-hidden", "An upstream answer 503 is hidden: the tool answers from built-in data."),
      (BREAK, "client-errors-hidden",
       "An upstream status 400 to 499 other than 401, 403, 404 and 429 is hidden: the tool answers from built-in data."),
      (BREAK, "error-body-used-as-data", "An upstream answer 500 with a JSON object in its body counts as a success."),
      (BREAK, "first-401-is-remembered",
       "After the first upstream answer 401, every later upstream request fails as 401 without being sent."))
table("upstream headers", "Endpoints",
      (CHOICE, "upstream-user-agent", "Upstream requests carry a User-Agent header.",
       lambda headers: headers | {"User-Agent": "lighthouse-register/1.0"}),
      (CHOICE, "upstream-request-ids", "Upstream requests carry an X-Request-Id header.",
       lambda headers: headers | {"X-Request-Id": os.urandom(8).hex()}))
table("upstream path", "Endpoints",
      (CHOICE, "upstream-paths-with-version", "Upstream paths begin with /api/v1.", lambda path: "/api/v1" + path),
      (CHOICE, "upstream-paths-with-query", "Upstream paths carry a query string that names the service.",
       lambda path: f"{path}?source={SERVICE}"))

_remembered = set()


def set_base(url):
    _base["url"] = url or None


def ask(method, path, body=None):
    """The JSON that the upstream answers, or None without an upstream or without a body."""
    if not _base["url"]:
        return None
    if 401 in _remembered and on("first-401-is-remembered"):
        raise UpstreamStatus(401)
    url = _base["url"].rstrip("/") + twist("upstream path", path)
    status, text, location = _timed(method, url, body)
    if status == 503 and method == "GET" and on("retries-503-once"):
        status, text, location = _timed(method, url, body)
    if location and method == "GET" and status in (301, 302, 307, 308) and on("follows-redirects"):
        status, text, location = _timed(method, urllib.parse.urljoin(url, location), body)
    if status == 401:
        _remembered.add(401)
    if 200 <= status <= 299:
        return json.loads(text) if text.strip() else None
    if _hidden(status, text):
        return None
    raise UpstreamStatus(status)


def _hidden(status, text):
    """Whether a switch makes the server take this failure for a success."""
    named = (401, 403, 404, 429)
    return ((status == 503 and on("status-503-hidden"))
            or (400 <= status <= 499 and status not in named and on("client-errors-hidden"))
            or (status == 500 and text.lstrip().startswith("{") and on("error-body-used-as-data")))


def _timed(method, url, body):
    """Send one request in a thread of its own, so that the server's clock can end the wait."""
    exchange = _Exchange(method, url, body)
    threading.Thread(target=exchange.run, daemon=True).start()
    seconds = twist("upstream timeout", TIMEOUT_SECONDS)
    if method != "GET" and on("timeout-only-for-gets"):
        seconds = 1e9
    if on("timeout-ends-with-headers") and clock.wait(exchange.headers_read, seconds):
        seconds = 1e9
    if not clock.wait(exchange.done, seconds):
        exchange.close()
        raise UpstreamTimeout()
    if exchange.failure:
        raise exchange.failure
    return exchange.answer


class _Exchange:
    def __init__(self, method, url, body):
        self.method, self.body = method, body
        self.parts = urllib.parse.urlsplit(url)
        self.headers_read, self.done = threading.Event(), threading.Event()
        self.answer = self.failure = self.socket = None

    def run(self):
        try:
            self.answer = self._talk()
        except Exception as failure:
            self.failure = failure
        self.headers_read.set()
        self.done.set()

    def _talk(self):
        secure = self.parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self.parts.hostname, self.parts.port, timeout=300)
        headers = twist("upstream headers", {"Accept": "application/json"})
        content = None
        if self.body is not None:
            content = json.dumps(self.body).encode()
            headers["Content-Type"] = "application/json"
        target = self.parts.path + ("?" + self.parts.query if self.parts.query else "")
        try:
            connection.connect()
            self.socket = connection.sock
            connection.request(self.method, target, content, headers)
            response = connection.getresponse()
            self.headers_read.set()
            text = response.read().decode("utf-8", "replace")
            return response.status, text, response.getheader("Location")
        finally:
            connection.close()

    def close(self):
        """End the exchange from another thread."""
        if self.socket:
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
