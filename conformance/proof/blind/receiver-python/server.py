import hashlib, hmac, json, os, queue, re, secrets, signal, sys, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import switches
from switches import on, ON

FLAG = {"Push Hook": "push_events", "Tag Push Hook": "tag_push_events", "Issue Hook": "issues_events", "Confidential Issue Hook": "confidential_issues_events",
        "Merge Request Hook": "merge_requests_events", "Pipeline Hook": "pipeline_events", "Job Hook": "job_events", "Deployment Hook": "deployment_events",
        "Wiki Page Hook": "wiki_page_events", "Release Hook": "releases_events"}
KIND = {"push": "push_events", "tag_push": "tag_push_events", "issue": "issues_events", "merge_request": "merge_requests_events", "pipeline": "pipeline_events",
        "build": "job_events", "deployment": "deployment_events", "wiki_page": "wiki_page_events", "release": "releases_events"}
PROJECT_KEYS = set("id name description web_url avatar_url git_ssh_url git_http_url namespace visibility_level path_with_namespace default_branch".split())
TOP = set("""object_kind event_name event_type before after ref checkout_sha user_id user_name user_username user_email user_avatar project_id project commits
 total_commits_count repository user object_attributes assignees labels changes reviewers merge_request commit builds tag sha before_sha build_id build_name build_stage
 build_status build_created_at build_started_at build_finished_at build_duration build_queued_duration build_allow_failure build_failure_reason pipeline_id runner
 project_name environment status status_changed_at deployment_id deployable_id deployable_url environment_tier environment_slug environment_external_url short_sha
 user_url commit_url commit_title wiki id created_at description name released_at url action assets""".split())
ZERO = "0" * 40
SECRET = "Wh-" + secrets.token_urlsafe(18) + "aZ"
L = threading.RLock(); SERIAL = threading.Lock(); RECV = threading.Lock()
SEEN, OBJ = set(), set(); N = {"wrong": 0, "all": 0, "inflight": 0, "dead": False}
WORK = queue.Queue()

class Answer(Exception):
    def __init__(self, st, msg="", hdr=()): self.st, self.msg, self.hdr = st, msg, list(hdr)
class Drop(Exception): pass

def handled():
    e = list(FLAG.values())
    return e[:3] + ["merge_requests_events"] if on("fewer-events") else e
def longest(o):
    if isinstance(o, str): return len(o)
    if isinstance(o, dict): return max([longest(v) for v in o.values()] or [0])
    if isinstance(o, list): return max([longest(v) for v in o] or [0])
    return 0

class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"; disable_nagle_algorithm = True; wbufsize = -1; timeout = 120; trusted = False; count = 0
    def log_message(self, *a): pass
    def handle_expect_100(self):
        if on("expect-not-answered"):
            time.sleep(20); self.close_connection = True; raise ConnectionResetError
        self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n"); self.wfile.flush(); return True
    def reply(self, st, msg, hdr=(), ack=False):
        body = json.dumps({"message": msg}).encode(); ct = "application/json"
        if ack and on("ack-plain-text"): body, ct = b"ok\n", "text/plain"
        if ack and on("ack-large-body"): body = json.dumps({"message": "x" * 100000}).encode()
        if ack and on("ack-empty"): body = b""
        n = len(body); l = []
        if not on("ack-date-missing"): l.append(("Date", self.date_time_string()))
        l.append(("Server", "hookd"))
        if st == 204 and not (ack and on("ack-204-with-body")): body = b""
        else:
            if body: l.append(("Content-Type", ct))
            if ack and on("ack-chunked") and self.request_version == "HTTP/1.1" and body and st != 204:
                l.append(("Transfer-Encoding", "chunked")); body = b"%x\r\n%s\r\n0\r\n\r\n" % (n, body)
            else: l.append(("Content-Length", str(n + (5 if ack and on("ack-length-too-long") else 0))))
        if on("extra-headers"): l += [("X-Request-Id", secrets.token_hex(8)), ("Strict-Transport-Security", "max-age=1"), ("Set-Cookie", "a=b"), ("Vary", "Origin")]
        l += list(hdr)
        if on("connection-close"): self.close_connection = True
        if self.close_connection: l.append(("Connection", "close"))
        elif self.request_version == "HTTP/1.0": l.append(("Connection", "keep-alive"))
        if self.command == "HEAD" and not on("head-with-body"): body = b""
        h = "HTTP/1.1 %d %s\r\n" % (st, self.responses.get(st, ("Status",))[0]) + "".join("%s: %s\r\n" % (k.lower() if on("header-lower-case") else k, v) for k, v in l) + "\r\n"
        self.wfile.write(h.encode() + body); self.wfile.flush()
    def body(self):
        te = self.headers.get("Transfer-Encoding")
        if te is not None:
            if te.strip().lower() != "chunked": self.close_connection = True; raise Answer(501, "unknown transfer coding")
            if on("chunked-411"): self.close_connection = True; raise Answer(411, "length required")
            out, first = [], True
            while True:
                line = self.rfile.readline(8192).strip()
                if b";" in line and on("chunk-extension-400"): self.close_connection = True; raise Answer(400, "bad chunk")
                s = line.split(b";")[0].strip()
                if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", s): self.close_connection = True; raise Answer(400, "bad chunk")
                n = int(s, 16)
                if n == 0: break
                out.append(self.rfile.read(n)); self.rfile.readline(8)
            while True:
                l = self.rfile.readline(65536)
                if l in (b"\r\n", b"\n", b""): break
                if on("trailers-400"): self.close_connection = True; raise Answer(400, "trailers")
            return b"".join(out[:1] if on("chunked-first-only") else out)
        cls = self.headers.get_all("Content-Length") or ["0"]
        if len(set(cls)) != 1 or not re.fullmatch(r"\d+", cls[0].strip()): self.close_connection = True; raise Answer(400, "bad Content-Length")
        n = int(cls[0])
        if n > 64 << 20 or (on("limit-2-mib") and n > 2 << 20): self.discard(n); self.close_connection = True; raise Answer(413, "too large")
        if on("body-over-64k-413") and n > 65536: self.discard(n); raise Answer(413, "too large")
        if on("body-over-200k-closed") and n > 200 << 10: self.discard(n); raise Drop()
        if on("first-packet-only") and n:
            got = len(self.rfile.peek(1)); data = self.rfile.read(min(n, got))
            if len(data) < n: self.close_connection = True
            return data
        t = time.monotonic(); data = self.rfile.read(n)
        if len(data) < n: raise Drop()
        if on("slow-body-408") and time.monotonic() - t > 0.7: self.close_connection = True; raise Answer(408, "timeout")
        return data
    def discard(self, n):
        while n > 0:
            b = self.rfile.read(min(n, 65536))
            if not b: break
            n -= len(b)
    def handle_any(self):
        self.count += 1
        try:
            with L: N["inflight"] += 1; crowded = N["inflight"] > 8
            try: st, msg = self.deliver(crowded)
            finally:
                with L: N["inflight"] -= 1
            self.reply(st, msg, ack=True)
        except Answer as a: self.reply(a.st, a.msg, a.hdr)
        except (Drop, ConnectionError): self.close_connection = True
        if on("pipelined-lost") and self.rfile_buffered(): self.close_connection = True
    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = handle_any
    def rfile_buffered(self):
        self.connection.setblocking(False)
        try: return bool(self.rfile.peek(1))
        except (OSError, ValueError): return False
        finally: self.connection.settimeout(self.timeout)
    def get(self, name, exact):
        vals = self.headers.get_all(name)
        if vals is None or (exact and name not in self.headers.keys()): return None
        return ", ".join(v.strip(" \t") for v in vals)
    def deliver(self, crowded):
        if on("http-1-0-505") and self.request_version == "HTTP/1.0": self.close_connection = True; raise Answer(505, "HTTP version")
        if on("one-slow-blocks-all"):
            with RECV: raw = self.body()
        else: raw = self.body()
        if self.request_version == "HTTP/1.1" and len(self.headers.get_all("Host") or []) != 1 and not on("missing-host-accepted"):
            self.close_connection = True; raise Answer(400, "Host is missing")
        tgt = self.path; m = re.match(r"(?i)https?://[^/?]*", tgt)
        if m:
            if on("absolute-form-404"): raise Answer(404, "not found")
            tgt = tgt[m.end():] or "/"
        path, _, query = tgt.partition("?")
        if path != PATH or (on("url-with-query") and "src=git" not in query.split("&")): raise Answer(404, "not found")
        if self.command in ("GET", "HEAD") and on("get-health"): return 200, "ok"
        if self.command != "POST" and not (self.command == "PUT" and on("put-acknowledged")):
            raise Answer(405, "method not allowed", [] if on("405-without-allow") else [("Allow", "GET, HEAD, POST" if on("get-health") else "POST")])
        if on("second-on-connection-500") and self.count == 2: raise Answer(500, "internal error")
        if on("second-on-connection-hangs") and self.count == 2: time.sleep(25); raise Drop()
        if on("redirects-301"): raise Answer(301, "moved", [("Location", "/elsewhere")])
        if crowded and on("parallel-503"): raise Answer(503, "busy", [("Retry-After", "1")])
        if on("parallel-503"): time.sleep(0.1)
        event = self.get("X-Hook-Event", on("event-header-case-sensitive"))
        self.check_secret(raw, query, event)
        if on("user-agent-other-403") and not (self.headers.get("User-Agent") or "").startswith("Git"): raise Answer(403, "forbidden")
        if on("user-agent-comment-400") and "(" in (self.headers.get("User-Agent") or ""): raise Answer(400, "bad User-Agent")
        known = "host user-agent accept content-type content-length transfer-encoding connection x-hook-event x-hook-token expect accept-encoding trailer te".split()
        if on("unknown-header-400") and any(k.lower() not in known for k in self.headers.keys()): raise Answer(400, "unknown header")
        ct = self.headers.get("Content-Type") or ""
        if not on("media-type-case-415"): ct = ct.lower()
        if on("charset-415") and ";" in ct: raise Answer(415, "unsupported media type")
        base = ct.split(";")[0].strip()
        if base != "application/json" and not on("any-media-type"): raise Answer(415, "unsupported media type")
        if N["dead"]: raise Answer(500, "internal error")
        if not raw and on("empty-body-500"): raise Answer(500, "internal error")
        try:
            text = raw.decode("utf-8")
            p = json.loads(text, parse_constant=lambda x: 1 / 0)
        except (ValueError, ZeroDivisionError, RecursionError):
            if on("after-error-dead"): N["dead"] = True
            if on("malformed-acknowledged"): return self.ack(raw)
            raise Answer(500 if on("malformed-500") else 422 if on("malformed-422") else 400, "body is not JSON")
        if not isinstance(p, dict):
            if on("malformed-acknowledged"): return self.ack(raw)
            raise Answer(500 if on("array-body-500") else 400, "body is not an object")
        flag = FLAG.get(event)
        if event is None:
            if not on("missing-event-header-accepted"): raise Answer(400, "X-Hook-Event is missing")
            flag = KIND.get(p.get("object_kind"))
        if flag is None or flag not in handled():
            if on("unknown-event-500") and flag is None: raise Answer(500, "internal error")
            for s in (400, 422, 501):
                if on("unknown-event-%d" % s): raise Answer(s, "event is not handled")
            return self.ack(raw)
        k = KIND.get(p.get("object_kind"))
        if on("kind-disagreement-refused") and k != flag and not (k == "issues_events" and flag.startswith("conf")): raise Answer(400, "object_kind does not agree")
        self.faults(flag, p, raw, text)
        return self.ack(raw, flag, p)
    def ack(self, raw, flag=None, p=None):
        h = hashlib.sha256(raw).digest()
        with L:
            again = h in SEEN; SEEN.add(h); N["all"] += 1; n = N["all"]
        if again and on("duplicate-409"): raise Answer(409, "duplicate")
        if again and on("duplicate-500"): raise Answer(500, "internal error")
        if on("same-object-again-409") and flag in ("issues_events", "confidential_issues_events", "merge_requests_events"):
            o = (flag, str((p.get("object_attributes") or {}).get("id")))
            with L: dup = o in OBJ and not again; OBJ.add(o)
            if dup: raise Answer(409, "already handled")
        WORK.put((flag, p))
        if on("parallel-serial"):
            with SERIAL: time.sleep(0.4)
        if on("slow-11s") or (on("slow-11s-for-pipelines") and flag == "pipeline_events"): time.sleep(11)
        if on("ack-after-500ms"): time.sleep(0.5)
        if on("ack-after-3s-for-pipelines") and flag == "pipeline_events": time.sleep(3)
        if on("slower-each-time"): time.sleep(0.7 * (n - 1))
        if on("ack-redirect-for-wiki") and flag == "wiki_page_events": raise Answer(302, "found", [("Location", "/login")])
        st = 202 if on("ack-202") else 204 if on("ack-204") or on("ack-204-with-body") else 201 if on("ack-201") else 208 if again and on("ack-208-for-duplicates") else 200
        return st, "accepted"
    def check_secret(self, raw, query, event):
        t = self.get("X-Hook-Token", on("secret-header-case-sensitive")); tb = (t or "").encode("utf-8", "surrogateescape"); sb = SECRET.encode(); s = SECRET
        if on("secret-non-ascii-500") and any(ord(c) > 126 for c in t or ""): raise Answer(500, "internal error")
        ok = t is not None and hmac.compare_digest(tb, sb)
        if on("secret-checked-once-per-connection") and self.trusted: return
        if ok and on("secret-wrong-locks-out") and N["wrong"] >= 3: ok = False
        if ok: self.trusted = True; return
        ok = (t is None and on("secret-missing-accepted")) or (t == "" and on("secret-empty-accepted"))
        if t:
            ok = ok or on("secret-any-accepted") or (on("secret-prefix-accepted") and s.startswith(t)) or (on("secret-suffix-accepted") and t.startswith(s)) or \
                (on("secret-case-insensitive") and t.lower() == s.lower()) or (on("secret-length-only") and len(t) == len(s)) or \
                (on("secret-first-eight-only") and t[:8] == s[:8]) or (on("secret-last-ignored") and len(t) == len(s) and t[:-1] == s[:-1]) or \
                (on("secret-hash-accepted") and t == hashlib.sha256(sb).hexdigest()) or (on("secret-percent-decoded") and urllib.parse.unquote(t) == s) or \
                (on("secret-substring-accepted") and s in t)
            if on("secret-pattern"):
                try: ok = ok or bool(re.fullmatch(t, s))
                except re.error: pass
        ok = ok or (on("secret-unchecked-for-tag-push") and event == "Tag Push Hook") or (on("secret-unchecked-for-job") and event == "Job Hook") or \
            (on("secret-unchecked-in-chunked") and self.headers.get("Transfer-Encoding") is not None) or \
            (on("secret-unchecked-for-repeated") and hashlib.sha256(raw).digest() in SEEN) or \
            (on("secret-in-query-accepted") and dict(urllib.parse.parse_qsl(query)).get("token") == s)
        if on("secret-in-body-accepted"):
            try: ok = ok or json.loads(raw).get("token") == s
            except (ValueError, AttributeError): pass
        if ok: return
        with L: N["wrong"] += 1; w = N["wrong"]
        if on("mismatch-slow"): time.sleep(0.5)
        if on("mismatch-closes"): raise Drop()
        if on("mismatch-500"): raise Answer(500, "internal error")
        if on("mismatch-drop") or on("mismatch-acknowledged") or (on("mismatch-acknowledged-second") and w % 2 == 0): raise Answer(200, "accepted")
        st = 403 if on("mismatch-403") or (t is None and on("missing-secret-403")) else 404 if on("mismatch-404") else 401
        raise Answer(st, "secret does not match", [("WWW-Authenticate", 'X-Hook-Token realm="hooks"')] if st == 401 else [])
    def faults(self, flag, p, raw, text):
        def no(st, c=True):
            if c: raise Answer(st, "internal error" if st == 500 else "refused")
        is_ = lambda f: flag == f or (f == "issues_events" and flag == "confidential_issues_events")
        for n, f, st in (("push-refused", "push_events", 422), ("tag-push-refused", "tag_push_events", 422), ("merge-request-refused", "merge_requests_events", 422),
                         ("pipeline-refused", "pipeline_events", 500), ("job-refused", "job_events", 422), ("deployment-refused", "deployment_events", 422),
                         ("wiki-refused", "wiki_page_events", 422), ("release-refused", "releases_events", 422), ("issue-refused", "issues_events", 500)):
            no(st, on(n) and flag == f)
        oa = p.get("object_attributes") if isinstance(p.get("object_attributes"), dict) else {}
        act = oa.get("action", p.get("action")); pr = p.get("project") if isinstance(p.get("project"), dict) else {}
        commits = p.get("commits") or []
        C = [("confidential-issue-refused", 404, flag == "confidential_issues_events" or oa.get("confidential") is True)]
        if flag == "push_events":
            C += [("push-branch-deletion-500", 500, p.get("after") == ZERO), ("push-null-checkout-sha-500", 500, "checkout_sha" in p and p["checkout_sha"] is None),
                  ("push-no-commits-500", 500, not commits), ("push-many-commits-500", 500, len(commits) > 10), ("push-user-object-required", 400, "user" not in p)]
        if flag == "tag_push_events": C += [("tag-deletion-500", 500, p.get("after") == ZERO)]
        if is_("issues_events"):
            ch = p.get("changes") or {}
            C += [("issue-reopen-422", 422, act == "reopen"), ("issue-close-422", 422, act == "close"), ("issue-no-labels-500", 500, not p.get("labels")),
                  ("issue-null-milestone-500", 500, oa.get("milestone_id") is None), ("issue-changes-null-previous-500", 500, any(isinstance(d, dict) and "previous" in d and d["previous"] is None for d in ch.values()))]
        if flag == "merge_requests_events":
            C += [("mr-approved-422", 422, act in ("approved", "unapproved")), ("mr-merge-500", 500, act == "merge"), ("mr-false-draft-500", 500, not oa.get("draft"))]
        if flag == "pipeline_events":
            C += [("pipeline-skipped-422", 422, oa.get("status") == "skipped"), ("pipeline-null-environment-500", 500, any(b.get("environment") is None for b in p.get("builds") or []))]
        if flag == "job_events": C += [("job-canceled-422", 422, p.get("build_status") == "canceled"), ("job-pending-null-times-500", 500, p.get("build_started_at") is None)]
        if flag == "deployment_events": C += [("deployment-created-422", 422, p.get("status") == "created")]
        if flag == "wiki_page_events": C += [("wiki-delete-422", 422, act == "delete")]
        if flag == "releases_events": C += [("release-delete-422", 422, act == "delete"), ("release-no-links-500", 500, not (p.get("assets") or {}).get("links"))]
        C += [("null-avatar-500", 500, "avatar_url" in pr and pr["avatar_url"] is None), ("unknown-field-400", 400, any(k not in TOP for k in p)),
              ("unknown-nested-field-400", 400, any(k not in PROJECT_KEYS for k in pr)), ("key-order-required", 400, next(iter(p), None) != "object_kind"),
              ("whitespace-400", 400, b"\n" in raw or raw[:1] != b"{"), ("non-ascii-500", 500, any(b > 127 for b in raw)), ("emoji-500", 500, any(b >= 0xf0 for b in raw)),
              ("escape-400", 400, b"\\u" in raw), ("string-over-4k-500", 500, longest(p) > 4096)]
        for n, st, c in C:
            if on(n) and c: no(st)

class Server(ThreadingHTTPServer):
    request_queue_size = 512; daemon_threads = True
    def handle_error(self, *a):
        if os.environ.get("HOOKS_DEBUG"): super().handle_error(*a)

def main():
    global PATH, SECRET
    args = sys.argv[1:]
    if args == ["--list"]: print(json.dumps(switches.SWITCHES, indent=1)); return
    while args:
        if args[0] == "--on" and len(args) > 1 and args[1] in switches.NAMES: ON.add(args[1]); args = args[2:]
        else: print("unknown: %s" % " ".join(args), file=sys.stderr); sys.exit(2)
    if on("secret-long"): SECRET = "Wh-" + (secrets.token_urlsafe(90) + "x" * 100)[:100] + "!#$%&'*+-.^_`|~:="
    PATH = "/" if on("url-root") else "/hooks/in"
    s = Server(("127.0.0.1", 0), H)
    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))
    def work():
        while True: WORK.get()
    threading.Thread(target=work, daemon=True).start()
    threading.Thread(target=s.serve_forever, daemon=True).start()
    print(json.dumps(dict(url="http://127.0.0.1:%d%s%s" % (s.server_address[1], PATH, "?src=git" if on("url-with-query") else ""), secret=SECRET,
                          events=handled(), onMismatch="drop" if on("mismatch-drop") else "reject")), flush=True)
    try:
        while sys.stdin.buffer.read1(4096): pass
    except (OSError, ValueError):
        while True: time.sleep(3600)
    os._exit(0)
if __name__ == "__main__": main()
