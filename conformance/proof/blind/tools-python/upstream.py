"""The API behind the loan record tool, and what its failures are called."""
import http.client
import json
import os
import socket
import threading
import time
from urllib.parse import quote, urlsplit

import data
from switches import on

# The document's 30 seconds; the environment may lower it so that tests are quick.
TIMEOUT = float(os.environ.get("MUSEUM_UPSTREAM_TIMEOUT", "30"))
MEMORY = {"ok": {}, "missing": set(), "unauthorised": False}


class UpstreamStatus(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class NotFound(Exception):
    """A thing of the museum itself that does not exist."""


def fetch_raw(url, timeout, box):
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=timeout)
    box["connection"] = connection
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", target, headers={"Accept": "application/json", "User-Agent": "museum_mcp"})
        answer = connection.getresponse()
        box["headed"] = True
        body = answer.read()
        box["answer"] = (answer.status, answer.getheader("Location"), body)
    except Exception as error:  # handed to the caller's thread
        box["error"] = error
    finally:
        connection.close()


def fetch(url):
    """GET with one deadline for the whole exchange, however slowly bytes drip."""
    timeout = TIMEOUT * (2 if on("timeout-doubled") else 1)
    box = {}
    if on("timeout-per-read"):
        fetch_raw(url, timeout, box)
    else:
        worker = threading.Thread(target=fetch_raw, args=(url, timeout, box), daemon=True)
        worker.start()
        worker.join(timeout)
        if worker.is_alive():
            sock = getattr(box.get("connection"), "sock", None)
            if sock:
                try:
                    sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            box = {"error": TimeoutError("deadline"), "headed": box.get("headed")}
    if "error" in box:
        error = box["error"]
        if isinstance(error, TimeoutError) and box.get("headed") and on("stalled-body-unexpected"):
            raise RuntimeError("ReadStalled")
        if isinstance(error, ConnectionRefusedError) and on("connection-refused-as-timeout"):
            raise TimeoutError()
        raise error
    return box["answer"]


def lookup(item_id):
    base = os.environ.get("UPSTREAM_URL", "").rstrip("/")
    if not base:
        if item_id not in data.LOANS:
            raise UpstreamStatus(404)
        return dict(data.LOANS[item_id])
    if on("sticky-401") and MEMORY["unauthorised"]:
        raise UpstreamStatus(401)
    if on("sticky-404") and item_id in MEMORY["missing"]:
        raise UpstreamStatus(404)
    if on("cache-upstream") and item_id in MEMORY["ok"]:
        return MEMORY["ok"][item_id]
    url = f"{base}/items/{quote(item_id, safe='')}"
    status, location, body = fetch(url)
    if status >= 500 and on("retry-upstream-5xx"):
        time.sleep(0.05)
        status, location, body = fetch(url)
    if 300 <= status < 400 and location and on("follow-upstream-redirects"):
        status, location, body = fetch(location if "://" in location else base + location)
    if status == 401:
        MEMORY["unauthorised"] = True
    if status == 404:
        MEMORY["missing"].add(item_id)
    if not 200 <= status < 300:
        known = status in (401, 403, 404, 429)
        if not (on("unlisted-4xx-as-success") and 400 <= status < 500 and not known and body.strip()[:1] == b"{"):
            raise UpstreamStatus(status)
    value = json.loads(body)
    if not isinstance(value, dict):
        value = {"id": item_id, "value": value}
    MEMORY["ok"][item_id] = value
    return value


def status_text(status):
    if on("swap-401-403"):
        status = {401: 403, 403: 401}.get(status, status)
    terse = on("terse-errors")
    if status == 404:
        if on("not-found-no-advice"):
            return "Error: Resource not found."
        return ("Error: Not found. Verify the identifier you sent." if terse
                else "Error: Resource not found. Please check the identifier is correct.")
    if status == 403:
        return ("Error: Permission denied." if terse
                else "Error: Permission denied. You don't have access to this resource.")
    if status == 429:
        if on("rate-limit-no-wait"):
            return "Error: Rate limit exceeded."
        if on("rate-limit-prefix-lowercase"):
            return "error: Rate limit exceeded. Please wait before retrying."
        return ("Error: Rate limit exceeded; wait, then retry." if terse
                else "Error: Rate limit exceeded. Please wait before retrying.")
    if status == 401:
        return ("Error: Invalid API authentication." if terse
                else "Error: Invalid API authentication. Check the server's API credentials.")
    if status >= 500 and on("other-status-named-500"):
        status = 500
    return f"Error: Request failed ({status})." if terse else f"Error: API request failed with status {status}."


def error_text(error):
    """The text of any failure, as the document's table of errors says."""
    if isinstance(error, UpstreamStatus):
        return status_text(error.status)
    if isinstance(error, NotFound):
        return status_text(404).replace("Resource", "Artifact") if not on("not-found-no-advice") \
            else "Error: Artifact not found. Please check the identifier is correct."
    if isinstance(error, (TimeoutError, socket.timeout)):
        return "Error: Request timed out; try again." if on("terse-errors") \
            else "Error: Request timed out. Please try again."
    if on("error-type-unnamed"):
        return "Error: Unexpected error occurred."
    return f"Error: Unexpected error occurred: {type(error).__name__}"
