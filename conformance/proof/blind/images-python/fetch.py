"""Ingestion of an image from a URL."""
import socket
import urllib.error
import urllib.parse
import urllib.request

from store import LOCK
from switches import on
from wire import MAX_FILE, Fail


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def ingest(world, url):
    """(bytes, file name) of what the URL holds now."""
    url = url.strip()
    parts = urllib.parse.urlsplit(url)
    scheme = parts.scheme.lower()
    if not scheme:
        raise Fail(400, "Not a URL")
    if scheme not in ("http", "https"):
        raise Fail(400, "Unsupported protocol", 5400 if on("unsupported-protocol-5400") else 5454)
    if not parts.hostname:
        raise Fail(400, "Not a URL")
    if on("url-query-dropped"):
        url = url.partition("?")[0]
    if on("url-fetch-cached"):
        with LOCK:
            if url in world.fetched:
                return world.fetched[url]
    handlers = [urllib.request.ProxyHandler({})]
    if on("url-redirects-refused"):
        handlers.append(NoRedirect)
    try:
        with urllib.request.build_opener(*handlers).open(url.partition("#")[0], timeout=8) as answer:
            data = answer.read(MAX_FILE + 1)
    except (socket.timeout, TimeoutError):
        raise Fail(400, "The URL answered too late", 5408)
    except (urllib.error.URLError, OSError, ValueError) as error:
        if on("failed-fetch-404"):
            raise Fail(404, "The URL could not be read: %s" % error)
        raise Fail(400, "The URL could not be read: %s" % error)
    except Exception as error:  # http.client's protocol errors
        raise Fail(400, "The URL could not be read: %s" % error)
    name = urllib.parse.unquote(parts.path.rpartition("/")[2]) or parts.hostname
    if on("url-filename-whole-url"):
        name = url
    with LOCK:
        if on("url-fetch-cached"):
            world.fetched[url] = (data, name)
    return data, name
