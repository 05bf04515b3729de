"""The hook configuration API and the operator's trigger, over HTTP/1.1."""
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit
from events import FLAGS, Event, valid_action
from hooks import Refused
from world import PROJECTS, TOKEN
from switches import on

KIND_OF = {flag: kind for kind, flag in FLAGS.items()}


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request, client_address):   # a client that went away is no news
        pass


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "RepoForge/4.8.2", ""
    disable_nagle_algorithm = True
    wbufsize = -1                       # one segment for head and body
    open_after_login = False

    def log_message(self, *args):
        pass

    def read_body(self):
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            data = b""
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                if size == 0:
                    while self.rfile.readline().strip():
                        pass
                    return data
                data += self.rfile.read(size)
                self.rfile.readline()
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, obj=None, extra=()):
        pretty = on("api-json-pretty")
        ctype, data = "application/json", b""
        if pretty:
            ctype += "; charset=utf-8"
        if obj is not None:
            data = json.dumps(obj, indent=2 if pretty else None).encode()
        if status >= 400 and on("errors-plain-text"):
            ctype, data = "text/plain", (obj.get("message", "error") + "\n").encode()
        if status >= 400 and on("errors-empty"):
            data = b""
        headers = list(extra)
        if data:
            headers.append(("Content-Type", ctype))
        chunked = on("api-chunked") and data
        if chunked:
            headers.append(("Transfer-Encoding", "chunked"))
            data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
        elif status != 204:
            headers.append(("Content-Length", str(len(data))))
        if on("api-closes"):
            headers.append(("Connection", "close"))
        self.send_response_only(status)
        headers = [("Server", self.server_version), ("Date", self.date_time_string())] + headers
        for k, v in headers:
            self.send_header(k.lower() if on("api-headers-lower") else k, v)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def any_method(self):
        try:
            body = self.read_body()
        except ValueError:
            self.close_connection = True
            return self.answer(400, dict(message="400 Bad Request"))
        try:
            self.route(body)
        except Refused as r:
            self.answer(r.status, dict(message=r.message))

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = any_method


class Api(Base):
    def authorised(self, is_test):
        given = self.headers.get("PRIVATE-TOKEN")
        good = given == TOKEN
        if on("auth-bearer-too") and self.headers.get("Authorization") == "Bearer " + TOKEN:
            good = True
        if is_test and on("auth-test-open"):
            good = True
        if given is not None:
            good = good or (on("auth-prefix-enough") and len(given) >= 12 and TOKEN.startswith(given)) \
                or (on("auth-tail-ignored") and given.startswith(TOKEN)) \
                or (on("auth-any-case") and given.lower() == TOKEN.lower()) \
                or (on("auth-empty-accepted") and given.strip() == "")
        if on("auth-sticks-to-connection"):
            good = good or self.open_after_login
            self.open_after_login = good
        return good

    def route(self, body):
        segs = urlsplit(self.path).path.split("/")[1:]
        if segs[:3] != ["api", "v4", "projects"] or len(segs) < 5 or segs[4] != "hooks":
            raise Refused(404, "404 Not Found")
        is_test = len(segs) == 8 and segs[6] == "test"
        if not self.authorised(is_test):
            if on("auth-refused-but-done") and len(segs) == 5 and self.command == "POST":
                try:
                    self.server.store.add(self.project(segs[3]), self.fields(body))
                except Refused:
                    pass
            raise Refused(403 if on("auth-403") else 404 if on("auth-404") else 401, "401 Unauthorized")
        project = self.project(segs[3])
        if len(segs) == 5:
            if self.command == "GET" and on("hook-listing"):
                return self.answer(200, [h.record() for h in self.server.store.of(project)])
            self.only_post()
            return self.create(project, self.fields(body))
        if is_test:
            self.only_post()
            return self.test(project, segs[5], segs[7])
        raise Refused(404, "404 Not Found")

    def only_post(self):
        if self.command != "POST":
            raise Refused(405, "405 Method Not Allowed")

    def project(self, seg):
        seg = unquote(seg)
        for p in PROJECTS.values():
            if seg in (str(p.id), p.path):
                return p
        raise Refused(404, "404 Project Not Found")

    def fields(self, body):
        ctype = (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()
        try:
            if ctype == "application/x-www-form-urlencoded":
                if on("form-body-refused"):
                    raise Refused(415, "415 Unsupported Media Type")
                return dict(parse_qsl(body.decode(), keep_blank_values=True))
            obj = json.loads(body or b"{}")
        except ValueError:
            raise Refused(400, "400 Bad Request: the body is not JSON") from None
        if not isinstance(obj, dict):
            raise Refused(400, "400 Bad Request: the body is no object")
        return obj

    def create(self, project, fields):
        hook = self.server.store.add(project, fields)
        extra = [("Location", f"/api/v4/projects/{project.id}/hooks/{hook.id}")] if on("create-location") else []
        self.answer(200 if on("create-200") else 201, hook.record(), extra)

    def test(self, project, hid, event):
        store, sender = self.server.store, self.server.sender
        hook = store.find(project, unquote(hid))
        if hook is None:
            raise Refused(400 if on("unknown-hook-400") else 404, "404 Hook Not Found")
        kind = KIND_OF.get(event)
        if kind is None or (on("test-push-only") and kind != "push"):
            raise Refused(400, "event is not one that can be tested")
        if on("test-needs-content-type") and not self.headers.get("Content-Type"):
            raise Refused(415, "415 Unsupported Media Type")
        hook.tests = [t for t in hook.tests if time.monotonic() - t < 60] + [time.monotonic()]
        if on("test-rate-limited") and len(hook.tests) > 5:
            raise Refused(429, "429 Too Many Requests")
        if on("test-hits-newest"):
            hook = store.of(project)[-1]
        subject = next(iter(PROJECTS.values())) if on("test-wrong-project-data") else hook.project
        silent = len(hook.tests) > 1 and on("test-second-silent")
        status = 200
        if not silent:
            wait = on("test-waits-for-receiver") or on("test-reports-failure")
            status = sender.test(hook, Event(kind, None, subject, test=True), wait)
        if on("test-turns-push-on"):
            hook.flags["push_events"] = True
        if on("test-reports-failure") and not (status and 200 <= status < 300):
            raise Refused(422, "422 the receiver did not acknowledge")
        if on("test-204-empty"):
            return self.answer(204)
        code = 200 if on("test-200") else 202 if on("test-202") else 201
        self.answer(code, dict(message="201 Created" if code == 201 else "ok"))


class Trigger(Base):
    """Not part of the document: the operator's way to make events happen."""

    def route(self, body):
        if self.command != "POST":
            raise Refused(405, "POST only")
        try:
            want = json.loads(body)
            kind, project = want["event"], PROJECTS[int(want["project"])]
        except (ValueError, KeyError, TypeError):
            raise Refused(400, "event and project are needed") from None
        if kind not in FLAGS:
            raise Refused(422, "the document has no such event")
        action = want.get("action")
        if action is not None and valid_action(kind, action) is None:
            raise Refused(422, "the event has no such action")
        self.server.sender.dispatch(Event(kind, action and valid_action(kind, action), project))
        self.answer(200, dict(event=kind, action=action, project=project.id))
