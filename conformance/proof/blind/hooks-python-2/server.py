import hashlib, html, json, os, re, secrets, signal, socket, sys, threading, time, urllib.parse, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import faults, sender, world
from faults import on
from world import EVENTS, PROJECTS, LOCK

FLAGS = ["push_events", "tag_push_events", "issues_events", "confidential_issues_events", "merge_requests_events", "wiki_page_events",
         "deployment_events", "job_events", "pipeline_events", "releases_events"]
BOOLS = FLAGS + ["enable_ssl_verification"]
TOKEN = "glpat-" + ("Seed" * 5 if os.environ.get("HOOKS_SEED") else secrets.token_hex(12) + "Xy")
HOOKS = {}; DELETED = {}; SEQ = [world.RND.randrange(100, 9000)]
FIRST, SECOND = 4217, 5308
DEFAULT = {"pipeline_events": "success", "job_events": "success"}
SERIAL = {}

class Bad(Exception):
    def __init__(self, st, msg, hdr=()): self.st, self.msg, self.hdr = st, msg, list(hdr)

# ------------------------------------------------------------------ deliveries
def header_of(flag, action, test):
    h = EVENTS[flag][0]
    if on("confidential-header-issue") and flag.startswith("conf"): h = "Issue Hook"
    if on("event-header-flag-name"): h = flag
    for n, f, a, v in (("event-header-tag-push", "tag_push_events", None, "Push Hook"), ("event-header-tag-deletion", "tag_push_events", "delete", "Push Hook"),
                       ("event-header-issues", "issues_events", None, "Issues Hook"), ("event-header-mr-merged", "merge_requests_events", "merge", "Merge Hook"),
                       ("event-header-build", "job_events", None, "Build Hook"), ("event-header-pipeline-failed", "pipeline_events", "failed", "Job Hook"),
                       ("event-header-wiki", "wiki_page_events", None, "Wiki Hook"), ("event-header-release-deleted", "releases_events", "delete", "Tag Push Hook")):
        if on(n) and flag == f and (a is None or a == action): h = v
    if on("event-header-deployment-lower-case") and flag == "deployment_events" and action != "created": h = h.lower()
    if test and on("test-header-always-push"): h = "Push Hook"
    return h
def token_of(hook, flag, test):
    t = hook["token"]
    if on("token-old-after-update") or (on("token-kept-when-emptied") and not t): t = hook["token0"] or t
    if on("token-of-newest-hook"): t = max((h for h in HOOKS.values() if h["project"] == hook["project"]), key=lambda h: h["n"], default=hook)["token"]
    if on("token-of-hook-with-same-url"): t = min((h for h in HOOKS.values() if h["url"] == hook["url"] and h["project"] == hook["project"]), key=lambda h: h["n"], default=hook)["token"]
    if not t:
        if on("token-header-when-none"): return ""
        if on("token-access-token-when-none"): return TOKEN
        return None
    if on("token-lower-case"): t = t.lower()
    if on("token-cut-at-32"): t = t[:32]
    if on("token-html-escaped"): t = html.escape(t, quote=False)
    if on("token-percent-decoded"): t = urllib.parse.unquote(t)
    if on("token-numeric-normalised") and t.isdigit(): t = str(int(t))
    if on("token-hashed"): t = hashlib.sha256(t.encode()).hexdigest()
    if on("token-first-delivery-only") and hook["sent"] > 0: return None
    if on("token-missing-on-releases") and flag == "releases_events": return None
    if on("token-missing-on-confidential") and flag.startswith("conf"): return None
    if test and on("test-without-token"): return None
    return t
LAST = {}
def build(project, flag, action):
    a = action or DEFAULT.get(flag) or EVENTS[flag][2][0]
    with LOCK:
        p = EVENTS[flag][1](PROJECTS[project], a)
    if on("pipeline-without-mr-null") and "merge_request" in p: p["merge_request"] = None
    oa = p.get("object_attributes", {})
    if flag in ("issues_events", "confidential_issues_events", "merge_requests_events"):
        if on("optional-texts-null"): oa["description"] = None
        if on("milestone-set"): oa["milestone_id"] = 31
        if on("no-labels"): oa["labels"] = []; p["labels"] = []
    return a, faults.mutate(flag, a, project, p)
def delivery(hook, flag, action, payload, test, header=None):
    body, ctype, n = sender.encode(payload)
    d = dict(url=hook["url0"] if on("url-old-after-update") else hook["url"], token=token_of(hook, flag, test), event=header or header_of(flag, action, test),
             body=body, ctype=ctype, nchars=n, test=test, uuid=str(uuid.uuid4()))
    v = hook["enable_ssl_verification"]
    if on("ssl-always-verified"): v = True
    if on("ssl-never-verified") or (test and on("ssl-not-verified-on-test")): v = False
    d["verify"] = v
    hook["sent"] += 1
    return d
def start(d, hook, delay=0.0):
    def go():
        if delay: time.sleep(delay)
        if on("delivery-serial-per-hook"):
            with SERIAL.setdefault(hook["id"], threading.Lock()): sender.run(d, hook)
        else: sender.run(d, hook)
    threading.Thread(target=go, daemon=True).start()
def listens(h, flag, action, payload):
    f = h["flags0"] if on("flag-old-after-update") else h
    r = f[flag]
    if on("pipeline-flag-governs-jobs") and flag == "job_events": r = f["pipeline_events"]
    if on("job-flag-also-enables-pipelines") and flag == "pipeline_events": r = r or f["job_events"]
    if on("push-flag-also-enables-tag-push") and flag == "tag_push_events": r = r or f["push_events"]
    if on("issues-flag-also-enables-confidential") and flag.startswith("conf"): r = r or f["issues_events"]
    if on("confidential-flag-also-enables-issues") and flag == "issues_events": r = r or f["confidential_issues_events"]
    if on("wiki-flag-ignored") and flag == "wiki_page_events": r = True
    if on("deployment-needs-job-flag") and flag == "deployment_events": r = r and f["job_events"]
    for n, fl, a in (("deployment-running-not-delivered", "deployment_events", "running"), ("deployment-created-not-delivered", "deployment_events", "created"),
                     ("issue-reopen-not-delivered", "issues_events", "reopen"), ("mr-close-not-delivered", "merge_requests_events", "close"),
                     ("wiki-delete-not-delivered", "wiki_page_events", "delete"), ("release-delete-not-delivered", "releases_events", "delete"),
                     ("release-update-not-delivered", "releases_events", "update"), ("tag-delete-not-delivered", "tag_push_events", "delete"),
                     ("pipeline-skipped-not-delivered", "pipeline_events", "skipped"), ("job-pending-not-delivered", "job_events", "pending")):
        if on(n) and flag == fl and action == a: r = False
    if on("auto-disable-after-4") and h.get("fails", 0) >= 4: r = False
    if on("delivery-stops-after-failure") and h.get("non2xx"): r = False
    return r
def trigger(project, flag, action):
    with LOCK:
        a, payload = build(project, flag, action)
        hdr = None; t = time.monotonic(); last = LAST.get(project)
        real = payload, header_of(flag, a, False)
        if last and t - last[0] < 0.2:
            if on("delivery-lost-in-bursts"): return
            if on("delivery-burst-bodies-mixed") and last[3] == flag: payload = last[1]
            if on("delivery-burst-headers-mixed"): hdr = last[2]
        LAST[project] = (t,) + real + (flag,)
        pool = list(HOOKS.values()) + (list(DELETED.values()) if on("deleted-hook-still-delivers") else [])
        hooks = [h for h in pool if (h["project"] == project or on("events-cross-projects")) and listens(h, flag, a, payload)]
        hooks.sort(key=lambda h: h["n"], reverse=on("delivery-newest-hook-first"))
        if on("delivery-first-hook-only"): hooks = hooks[:1]
        jobs = []
        for i, h in enumerate(hooks):
            for k in range(2 if on("delivery-doubled") or (on("delivery-doubled-with-two-hooks") and len(hooks) > 1 and i == 0) else 1):
                jobs.append((delivery(h, flag, a, payload, False, hdr), h, i))
    if on("delivery-serial-blocked"):
        def seq():
            for d, h, i in jobs:
                if not 200 <= sender.run(d, h) < 300: break
        threading.Thread(target=seq, daemon=True).start()
        return
    for d, h, i in jobs: start(d, h, 0.05 * i if on("delivery-newest-hook-first") else 0)

# ------------------------------------------------------------------ API
def to_bool(k, v, form):
    if isinstance(v, bool): return v
    if form:
        if v.lower() in ("true", "1"): return True
        if v.lower() in ("false", "0"): return on("form-false-is-true")
    if on("lenient-booleans") and str(v).lower() in ("1", "0", "yes", "no", "on", "off", "true", "false"): return str(v).lower() in ("1", "yes", "on", "true")
    raise Bad(400, k + " is invalid")
def fields(body, form, new):
    f = {}
    json.dumps(body, ensure_ascii=False).encode()   # lone surrogates are refused before anything is changed
    for k, v in body.items():
        if k in BOOLS: f[k] = to_bool(k, v, form)
        elif k == "url":
            if v is None and on("url-null-accepted"): continue
            if isinstance(v, (int, float)) and not isinstance(v, bool) and on("url-number-accepted"): v = str(v)
            elif not isinstance(v, str) or not re.match(r"(?i)https?://[^/?#\s]+", v) or re.search(r"[\x00-\x20\x7f]", v): raise Bad(400, "url is invalid")
            else:
                try:
                    u = urllib.parse.urlsplit(v); u.port
                    if not u.hostname: raise ValueError
                except ValueError: raise Bad(400, "url is invalid")
            if on("url-2048-limit") and len(v) > 2048: raise Bad(400, "url is too long (maximum is 2048 characters)")
            f[k] = v
        elif k == "token":
            if v is not None and (not isinstance(v, str) or re.search(r"[\x00-\x1f\x7f]", v)): raise Bad(400, "token is invalid")
            if v and on("token-255-limit") and len(v) > 255: raise Bad(400, "token is too long (maximum is 255 characters)")
            if v and not form and on("token-plus-becomes-space"): v = v.replace("+", " ")
            f[k] = v or None
        elif on("unknown-fields-refused"): raise Bad(400, k + " is unknown")
        elif on("unknown-fields-kept"): f["x_" + k] = v
    if new and "url" not in f:
        if on("missing-url-500"): raise Bad(500, "Internal Server Error")
        if not (on("url-not-required") and "url" not in body or on("url-null-accepted") and "url" in body): raise Bad(400, "url is missing")
        f["url"] = "http://127.0.0.1:9/"
    return f
def defaults(body, form):
    d = {k: False for k in FLAGS}
    d["push_events"] = True
    if on("other-flags-default-true"):
        for k in FLAGS: d[k] = k != "confidential_issues_events"
    others = any(k in body for k in FLAGS if k != "push_events")
    if on("push-events-default-false") or (on("push-events-default-false-beside-others") and others) or (on("push-events-default-false-in-forms") and form): d["push_events"] = False
    d["enable_ssl_verification"] = not on("ssl-verification-default-off")
    d["token"] = None
    return d
def record(h):
    r = dict(id=h["id"], url=h["url"])
    if on("record-minimal"): return r
    r.update(project_id=h["project"], created_at=h["created"], **{k: h[k] for k in BOOLS})
    if on("record-with-token"): r["token"] = h["token"]
    if on("record-with-masked-token"): r["token"] = "********" if h["token"] else None
    if on("record-extra-fields"): r.update(name="", alert_status="executable", disabled_until=None, push_events_branch_filter="", note_events=False, custom_headers=[])
    if on("unknown-fields-kept"): r.update({k[2:]: v for k, v in h.items() if k.startswith("x_")})
    return r

class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"; disable_nagle_algorithm = True; wbufsize = -1; timeout = 60; trusted = False
    def log_message(self, *a): pass
    def parse_request(self):
        ok = super().parse_request()
        if self.command == "PRI" : return False
        return ok
    def answer(self, st, obj=None, hdr=(), ctype="application/json", raw=None):
        b = b"" if obj is None and raw is None else raw if raw is not None else json.dumps(obj, ensure_ascii=False, indent=2 if on("record-pretty") else None).encode()
        n = len(b)
        if on("api-length-in-characters"): n = len(b.decode("utf-8", "replace"))
        if ctype == "application/json" and 200 <= st < 300 and on("api-content-type-html"): ctype = "text/html"
        if on("api-slow"): time.sleep(0.3)
        L = [("Content-Type", ctype)] if b else []
        if not on("api-date-missing"): L.append(("Date", self.date_time_string()))
        L += [("Server", "atelier")] + list(hdr)
        ch = on("record-chunked") and b and self.command != "HEAD"
        if st == 204 and on("api-204-with-body"): L.append(("Content-Length", "4")); b = b"null"
        elif ch: L.append(("Transfer-Encoding", "chunked"))
        elif st != 204: L.append(("Content-Length", str(n)))
        if on("api-extra-headers"): L += [("X-Request-Id", uuid.uuid4().hex), ("RateLimit-Limit", "2000"), ("Cache-Control", "max-age=0, private, must-revalidate"), ("Vary", "Origin")]
        if on("api-connection-close"): self.close_connection = True
        if self.close_connection: L.append(("Connection", "close"))
        out = "HTTP/1.1 %d %s\r\n" % (st, self.responses.get(st, ("Status",))[0]) + "".join("%s: %s\r\n" % (k.lower() if on("api-header-lower-case") else k, v) for k, v in L) + "\r\n"
        if self.command == "HEAD": b = b""
        elif ch: b = b"".join(b"%x\r\n%s\r\n" % (len(b[i:i + 50]), b[i:i + 50]) for i in range(0, len(b), 50)) + b"0\r\n\r\n"
        self.wfile.write(out.encode("latin-1") + b); self.wfile.flush()
    def error(self, e):
        st = e.st
        if st == 400 and on("invalid-422"): st = 422
        if st == 404 and e.msg == "404 Project Not Found" and on("missing-project-403"): st = 403
        if on("error-empty"): return self.answer(st, None, e.hdr)
        if on("error-plain-text"): return self.answer(st, hdr=e.hdr, ctype="text/plain; charset=utf-8", raw=e.msg.encode())
        if on("error-list"): return self.answer(st, {"errors": [{"status": st, "detail": e.msg}]}, e.hdr)
        if on("error-problem-json"): return self.answer(st, {"type": "about:blank", "title": e.msg, "status": st}, e.hdr, "application/problem+json")
        self.answer(st, {"message": e.msg}, e.hdr)
    def read_body(self):
        te = self.headers.get("Transfer-Encoding", "")
        if te:
            if te.strip().lower() != "chunked": self.close_connection = True; raise Bad(501, "unknown transfer coding")
            out = b""
            while True:
                try: n = int(self.rfile.readline(1000).split(b";")[0], 16)
                except ValueError: self.close_connection = True; raise Bad(400, "bad chunk")
                if n == 0: break
                out += self.rfile.read(n); self.rfile.readline(10)
            while self.rfile.readline(65536) not in (b"\r\n", b"\n", b""): pass
            return b"" if on("api-chunked-refused") else out
        n = self.headers.get("Content-Length") or "0"
        if not re.fullmatch(r"\d+", n): self.close_connection = True; raise Bad(400, "bad Content-Length")
        if int(n) > 2 << 20: self.close_connection = True; raise Bad(413, "too large")
        return self.rfile.read(int(n))
    def parse_body(self, raw, query):
        ct = self.headers.get("Content-Type") or ""
        if not on("api-media-type-case-sensitive"): ct = ct.lower()
        base = ct.split(";")[0].strip(); form = False; d = {}
        if on("api-json-parameter-refused") and base == "application/json" and ";" in ct: raise Bad(415, "unsupported media type")
        if base == "application/json" or (base.endswith("+json")) or (not base and raw.lstrip()[:1] == b"{"):
            text = raw.decode("utf-8", "strict") if raw else "{}"
            if on("api-json-escapes-kept"): text = re.sub(r"\\u", r"\\\\u", text)
            try: d = json.loads(text, parse_constant=lambda x: 1 / 0)
            except (ValueError, ZeroDivisionError): raise Bad(500 if on("malformed-json-500") else 400, "body is not JSON")
            if not isinstance(d, dict): raise Bad(500 if on("non-object-body-500") else 400, "body is not an object")
        elif base == "application/x-www-form-urlencoded" and not on("json-only"):
            d = dict(urllib.parse.parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True)); form = True
        elif base == "multipart/form-data" and not on("json-only"):
            import email
            m = email.message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + raw)
            d = {p.get_param("name", header="content-disposition"): p.get_payload(decode=True).decode() for p in (m.get_payload() if m.is_multipart() else [])}; form = True
        elif raw: raise Bad(415, "unsupported media type")
        if on("query-parameters-accepted") and query: d = dict(urllib.parse.parse_qsl(query, keep_blank_values=True), **d); form = True
        return d, form
    def authorised(self, what):
        t = self.headers.get("PRIVATE-TOKEN")
        if on("auth-header-case-sensitive") and "PRIVATE-TOKEN" not in self.headers.keys(): t = None
        if on("bearer-accepted") and t is None and (self.headers.get("Authorization") or "")[:7].lower() == "bearer ": t = self.headers["Authorization"][7:].strip()
        if on("auth-remembered-on-connection") and self.trusted: return True
        ok = t is not None and secrets.compare_digest(t.strip(" \t").encode("utf-8", "replace"), TOKEN.encode())
        if ok: self.trusted = True; return True
        if t is None: return (what == "create" and on("auth-missing-token-accepted-on-create")) or (what == "test" and on("auth-missing-token-accepted-on-test"))
        if t == "": return on("auth-empty-token-accepted")
        return on("auth-wrong-token-accepted") or (what == "test" and on("auth-wrong-token-accepted-on-test")) or \
            (on("auth-token-prefix-accepted") and len(t) >= 4 and TOKEN.startswith(t)) or (on("auth-token-suffix-accepted") and t.startswith(TOKEN)) or \
            (on("auth-token-case-insensitive") and t.lower() == TOKEN.lower())
    def handle_any(self):
        try:
            if on("api-body-left-on-refusal") and self.path.startswith("/api/") and not self.authorised("create"): self._refuse()
            raw = self.read_body()
            if self.request_version == "HTTP/1.1" and len(self.headers.get_all("Host") or []) != 1 and not on("api-missing-host-accepted"):
                self.close_connection = True; raise Bad(400, "Host is missing")
            path = self.path
            m = re.match(r"(?i)https?://[^/?]*", path)
            if m:
                if on("api-absolute-form-refused"): raise Bad(404, "404 Not Found")
                path = path[m.end():] or "/"
            path, _, query = path.partition("?")
            if path == "/trigger": return self.do_trigger(raw)
            if not path.startswith("/api/v4/"): raise Bad(500 if on("unknown-path-500") else 404, "404 Not Found")
            self.route(path[8:], query, raw)
        except Bad as e: self.error(e)
        except (UnicodeError, RecursionError): self.error(Bad(400, "body is not valid"))
        except (BrokenPipeError, ConnectionResetError): self.close_connection = True
    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = handle_any
    def do_trigger(self, raw):
        if self.command != "POST": raise Bad(405, "405 Method Not Allowed", [("Allow", "POST")])
        try: d = json.loads(raw); ev, a, pr = d.get("event"), d.get("action"), int(d.get("project", FIRST))
        except (ValueError, AttributeError, TypeError): raise Bad(400, "bad trigger")
        if ev not in EVENTS or pr not in PROJECTS or (a is not None and a not in EVENTS[ev][2]): raise Bad(404, "unknown event, action or project")
        trigger(pr, ev, a)
        self.close_connection = self.close_connection
        out = b"HTTP/1.1 204 No Content\r\nDate: " + self.date_time_string().encode() + b"\r\n\r\n"
        self.wfile.write(out); self.wfile.flush()
    def _refuse(self):
        st = 404 if on("wrong-token-404") else 403 if on("wrong-token-403") and self.headers.get("PRIVATE-TOKEN") else 401
        raise Bad(st, "%d %s" % (st, self.responses[st][0]), [("WWW-Authenticate", 'Bearer realm="api"')] if st == 401 and not on("auth-401-without-challenge") else [])
    def route(self, path, query, raw):
        segs = path.split("/")
        if on("trailing-slash-accepted") and segs[-1] == "": segs.pop()
        segs = [urllib.parse.unquote(s) for s in segs]; n = len(segs); doc = on("only-documented-endpoints")
        if segs[0] != "projects" or n < 3 or segs[2] != "hooks": kind = None
        elif n == 3: kind, allow = "hooks", ["POST"] if doc else ["GET", "HEAD", "POST"]
        elif n == 4: kind, allow = (None, []) if doc or not segs[3] else ("hook", ["GET", "HEAD"] + (["PATCH"] if on("update-via-patch-only") else ["PUT"]) + ["DELETE"])
        elif n == 6 and segs[4] == "test": kind, allow = "test", ["POST"]
        else: kind = None
        what = "create" if kind == "hooks" and self.command == "POST" else kind
        if not self.authorised(what):
            if what == "create" and on("auth-refused-create-still-creates") and segs[1] in ("4217", "5308"):
                try: b, f = self.parse_body(raw, query); self.create(int(segs[1]), b, f)
                except Bad: pass
            if kind == "test" and on("auth-refused-test-still-delivers"):
                h = HOOKS.get(segs[3])
                if h and segs[5] in EVENTS: self.test(h, segs[5])
            self._refuse()
        if kind is None: raise Bad(500 if on("unknown-path-500") else 404, "404 Not Found")
        if self.command not in allow: raise Bad(405, "405 Method Not Allowed", [] if on("api-405-without-allow") else [("Allow", ", ".join(allow))])
        pid = None
        if re.fullmatch(r"\d{1,15}", segs[1]) and int(segs[1]) in PROJECTS: pid = int(segs[1])
        elif on("project-path-ids"): pid = next((p.id for p in PROJECTS.values() if p.path == segs[1]), None)
        if pid is None:
            if what == "create" and on("create-in-missing-project-2xx"): return self.answer(201, {"id": 1})
            raise Bad(404, "404 Project Not Found")
        if kind == "hooks":
            if self.command != "POST": return self.answer(200, [record(h) for h in HOOKS.values() if h["project"] == pid])
            b, f = self.parse_body(raw, query); h = self.create(pid, b, f)
            return self.answer(200 if on("create-status-200") else 201, record(h), [("Location", "/api/v4/projects/%d/hooks/%s" % (pid, h["id"]))] if on("create-with-location") else [])
        h = HOOKS.get(segs[3])
        if kind == "test" and h is None and on("deleted-hook-still-testable"): h = DELETED.get(segs[3])
        if h and h["project"] != pid and not (kind == "test" and on("test-through-other-project")): h = None
        if kind == "test":
            if h is None:
                if on("test-missing-hook-2xx"): return self.answer(201, {"message": "201 Created"})
                raise Bad(404, "404 Hook Not Found")
            return self.do_test(h, segs[5])
        if h is None:
            if self.command == "DELETE" and on("delete-idempotent"): return self.answer(204)
            raise Bad(404, "404 Hook Not Found")
        if self.command in ("GET", "HEAD"): return self.answer(200, record(h))
        if self.command == "DELETE":
            with LOCK: DELETED[segs[3]] = HOOKS.pop(segs[3], h)
            return self.answer(200, record(h)) if on("delete-returns-record") else self.answer(204)
        b, form = self.parse_body(raw, query); f = fields(b, form, False)
        with LOCK:
            if on("update-replaces"): h.update({k: v for k, v in defaults(b, form).items()})
            h.update(f)
        return self.answer(200, record(h))
    def create(self, pid, b, form):
        f = fields(b, form, True)
        if on("hooks-created-in-first-project"): pid = FIRST
        with LOCK:
            mine = [h for h in HOOKS.values() if h["project"] == pid]
            if on("duplicate-url-refused") and any(h["url"] == f["url"] for h in mine): raise Bad(409, "url has already been taken")
            if on("hook-limit-20") and len(mine) >= 20: raise Bad(400, "maximum number of hooks exceeded")
            SEQ[0] += 1; i = SEQ[0]
            if on("record-id-large"): i += 5 << 40
            if on("record-id-string"): i = "hk%xz" % (i * 7919)
            h = defaults(b, form); h.update(f)
            if on("push-events-false-ignored"): h["push_events"] = True
            if on("releases-false-is-true") and b.get("releases_events") in (False, "false"): h["releases_events"] = True
            h.update(id=i, n=SEQ[0], project=pid, created=world.now().strftime("%Y-%m-%dT%H:%M:%S.000Z"), sent=0, token0=h["token"], url0=h["url"], flags0={k: h[k] for k in FLAGS})
            HOOKS[str(i)] = h
        return h
    def do_test(self, h, ev):
        if ev not in EVENTS: raise Bad(404 if on("test-unknown-event-404") else 422, "unknown event")
        if on("test-needs-enabled-event") and not h[ev]: raise Bad(422, ev + " is not enabled on this hook")
        if on("test-rate-limited"):
            t = time.monotonic(); h.setdefault("tests", []).append(t)
            if len([x for x in h["tests"] if t - x < 1]) > 5: raise Bad(429, "too many requests", [("Retry-After", "1")])
        st, d = self.test(h, ev)
        if on("test-failure-422") and not 200 <= (st or 0) < 300: raise Bad(422, "Hook execution failed")
        code = 200 if on("test-status-200") else 202 if on("test-status-202") else 204 if on("test-status-204") else 201
        if code == 204: return self.answer(204)
        if on("test-returns-delivery"): return self.answer(code, {"id": d["uuid"], "event": ev, "url": d["url"], "request_body_size": len(d["body"])})
        self.answer(code, {"message": "%d %s" % (code, self.responses[code][0])})
    def test(self, h, ev):
        if on("test-always-push"): ev = "push_events"
        if on("test-tag-push-as-push") and ev == "tag_push_events": ev = "push_events"
        if on("test-job-as-pipeline") and ev == "job_events": ev = "pipeline_events"
        a, p = build(h["project"], ev, None)
        hs = [h]; same = [x for x in HOOKS.values() if x["project"] == h["project"]]
        if on("test-newest-hook") and same: hs = [max(same, key=lambda x: x["n"])]
        if on("test-all-hooks"): hs = same
        if on("test-doubled"): hs = hs * 2
        h["ntest"] = h.get("ntest", 0) + 1; st = None; d = None
        for x in hs:
            with LOCK: d = delivery(x, ev, a, p, True)
            if on("test-only-once") and h["ntest"] > 1: continue
            if on("test-waits-for-receiver") or on("test-failure-422"): st = sender.run(d, x)
            else: start(d, x)
        return st, d

class Server(ThreadingHTTPServer):
    request_queue_size = 512; daemon_threads = True
    def handle_error(self, *a): 
        if os.environ.get("HOOKS_DEBUG"): super().handle_error(*a)

def main():
    args = sys.argv[1:]
    if args == ["--list"]: print(json.dumps(faults.SWITCHES, indent=1)); return
    while args:
        if args[0] == "--on" and len(args) > 1 and args[1] in faults.NAMES: faults.ON.add(args[1]); args = args[2:]
        else: print("unknown: %s" % " ".join(args), file=sys.stderr); sys.exit(2)
    s = Server(("127.0.0.1", 0), H); port = s.server_address[1]
    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))
    threading.Thread(target=s.serve_forever, daemon=True).start()
    base = "http://127.0.0.1:%d" % port
    print(json.dumps(dict(baseUrl=base + "/api/v4", project=FIRST, otherProject=SECOND, token=TOKEN, triggerUrl=base + "/trigger")), flush=True)
    try:
        while sys.stdin.buffer.read1(4096): pass
    except (OSError, ValueError): 
        while True: time.sleep(3600)
    os._exit(0)
if __name__ == "__main__": main()
