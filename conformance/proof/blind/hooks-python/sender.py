"""Decides which hooks an event goes to, and sends the deliveries."""
import hashlib
import hmac
import html
import http.client
import json
import queue
import re
import ssl
import sys
import threading
import time
import uuid
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit
from switches import on

GONE = {("tag_push", "delete"): "tag-deletion-lost", ("issue", "reopen"): "issue-reopen-lost",
        ("merge_request", "merge"): "mr-merge-lost", ("wiki_page", "delete"): "wiki-deletion-lost",
        ("release", "delete"): "release-deletion-lost", ("pipeline", "skipped"): "pipeline-skipped-lost",
        ("job", "pending"): "job-pending-lost", ("deployment", "created"): "deployment-created-lost"}
ODD_HEADERS = {("job", "failed"): ("header-failed-job-build", "Build Hook"),
               ("tag_push", "delete"): ("header-tag-deletion-push", "Push Hook"),
               ("merge_request", "approved"): ("header-approved", "Merge Request Approved Hook"),
               ("wiki_page", "delete"): ("header-wiki-deletion", "Wiki Hook"),
               ("release", "update"): ("header-release-update", "Releases Hook")}


def wants(store, hook, ev):
    """Does this real event go to this hook? The flag decides, and the project."""
    if hook.project is not ev.project:
        leak = (on("release-to-all-projects") and ev.kind == "release") or \
               (on("same-url-other-project-leak") and any(h.url == hook.url for h in store.of(ev.project)))
        if not leak:
            return False
    f, yes = hook.flags, hook.flags[ev.flag]
    if ev.kind == "tag_push" and ev.action == "delete" and on("tag-deletion-to-push-hooks"):
        yes = yes or f["push_events"]
    if ev.kind == "push" and on("push-to-tag-hooks") and ev.payload["ref"].count("/") > 2:
        yes = yes or f["tag_push_events"]
    if ev.kind == "pipeline" and ev.action == "failed" and on("pipeline-to-job-hooks"):
        yes = yes or f["job_events"]
    if ev.kind == "deployment" and on("deployment-under-pipeline"):
        yes = f["pipeline_events"]
    if ev.kind == "confidential_issue":
        if on("confidential-to-issue-hooks"):
            yes = yes or f["issues_events"]
        if on("confidential-needs-both"):
            yes = yes and f["issues_events"]
    if ev.kind == "issue" and ev.action == "update" and on("issue-to-confidential-hooks"):
        yes = yes or f["confidential_issues_events"]
    if ev.kind == "wiki_page" and on("wiki-needs-push-flag"):
        yes = yes and f["push_events"]
    return yes and not hook.dead


class Sender:
    def __init__(self, store):
        self.store = store
        self.lock = threading.Lock()
        self.pool = {}
        self.last_at, self.last_token = {}, {}
        self.before = None                 # (header, payload) of the event before
        self.queue = queue.Queue()
        if on("delivery-serial"):
            threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            self.attempts(*self.queue.get())

    def dispatch(self, ev):
        """A real event happened: send it to every hook subscribed to it."""
        with self.lock:
            key, t = (ev.project.id, ev.kind), time.monotonic()
            recent = t - self.last_at.get(key, -9) < 0.15
            self.last_at[key] = t
            before, self.before = self.before, (ev.header, ev.payload)
        if recent and on("burst-lost"):
            return
        lost = GONE.get((ev.family, ev.action))
        if lost and on(lost):
            return
        chosen = [h for h in self.store.hooks if wants(self.store, h, ev)]
        if on("fourth-hook-silent"):
            chosen = [h for h in chosen if h in self.store.of(h.project)[:3]]
        for i, hook in enumerate(chosen):
            hook.events += 1
            if hook.events == 1 and on("first-event-lost"):
                continue
            header, payload = ev.header, ev.payload
            if i and before and on("header-stale-second-hook"):
                header = before[0]
            if i and before and on("body-stale-second-hook"):
                payload = before[1]
            self.send(hook, ev, header, payload, len(chosen))

    def test(self, hook, ev, wait=False):
        if wait:
            return self.attempts(hook, ev, ev.header, ev.payload, 1)
        self.send(hook, ev, ev.header, ev.payload, 1)

    def send(self, *args):
        if on("delivery-serial"):
            self.queue.put(args)
        else:
            threading.Thread(target=self.attempts, args=args, daemon=True).start()

    def attempts(self, hook, ev, header, payload, fan_out):
        """One delivery. Its outcome changes nothing for later ones."""
        if on("delivery-late"):
            time.sleep(1.5)
        body = encode(payload, ev, fan_out)
        headers = self.headers(hook, ev, header, body)
        tries = 3 if on("delivery-retried") else 2 if on("only-200-acknowledges") else 1
        status, started = None, time.monotonic()
        for k in range(tries):
            try:
                status = self.post(hook, ev, hook.url, headers, body)
            except Exception as exc:       # unreachable, TLS failure, slow: the delivery failed
                status = None
                print(f"delivery to {hook.url!r} failed: {exc!r}", file=sys.stderr)
            good = status is not None and 200 <= status < 300
            if good and not (on("only-200-acknowledges") and status != 200):
                break
            if not good and not on("delivery-retried"):
                break
            time.sleep(0.5)
        hook.sent += 1
        if status == 500:
            hook.failed = True
            if on("dead-after-500"):
                hook.dead = True
        if time.monotonic() - started > 2 and on("dead-after-slow"):
            hook.dead = True
        return status

    def headers(self, hook, ev, header, body):
        odd = ODD_HEADERS.get((ev.family, ev.action))
        if odd and on(odd[0]) and header == ev.header:
            header = odd[1]
        if ev.test and on("header-system-in-tests"):
            header = "System Hook"
        if ev.kind == "confidential_issue" and on("confidential-as-issue-hook"):
            header = "Issue Hook"
        agent = "HookForge-pre/17.2.1-rc.3" if on("agent-other-product") else "RepoForge/4.8.2"
        if (ev.test and on("agent-bare-in-tests")) or (hook.token and on("agent-bare-with-token")):
            agent = agent.split("/")[0]
        ctype = "application/json; charset=utf-8" if on("delivery-charset") else "application/json"
        out = [("User-Agent", agent), ("Content-Type", ctype), ("X-Hook-Event", header)]
        token = self.secret(hook, ev)
        if token:
            out.append(("X-Hook-Token", token))
        if on("delivery-extra-headers"):
            u = str(uuid.uuid4())
            out += [("X-Hook-UUID", u), ("X-Hook-Instance", "https://forge.example"), ("Idempotency-Key", u),
                    ("X-Hook-Event-UUID", u), ("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate")]
        if on("delivery-signed"):
            mac = hmac.new((hook.token or "none").encode(), body, hashlib.sha256).hexdigest()
            out.append(("X-Hook-Signature", "sha256=" + mac))
        return out

    def secret(self, hook, ev):
        token = hook.token
        if token is None:
            return self.last_token.get(hook.project.id) if on("token-leaks-to-next") else None
        self.last_token[hook.project.id] = token
        if on("token-cut-72"):
            token = token[:72]
        if ev.test and on("token-lowercased-in-tests"):
            token = token.lower()
        if on("token-plus-to-space"):
            token = token.replace("+", " ")
        if on("token-percent-decoded"):
            token = unquote(token)
        if on("token-cut-at-comma"):
            token = token.split(",")[0]
        if on("token-html-escaped"):
            token = html.escape(token, quote=False)
        if on("token-padding-lost"):
            token = token.rstrip("=")
        if (ev.test and on("token-missing-in-tests")) or (hook.failed and on("token-lost-after-failure")):
            return None
        if ev.kind == "tag_push" and ev.action == "delete" and on("token-missing-on-tag-deletion"):
            return None
        return token

    def post(self, hook, ev, url, headers, body, hops=0):
        parts = urlsplit(url)
        verify = hook.ssl
        if (ev.test and on("ssl-tests-unverified")) or (hook.sent and on("ssl-second-unverified")):
            verify = False
        key = (parts.scheme, parts.hostname, parts.port, verify)
        keep = on("delivery-keep-alive")
        conn = None
        if keep:
            with self.lock:
                idle = self.pool.setdefault(key, [])
                conn = idle.pop() if idle else None
        if conn is None:
            if parts.scheme.lower() == "https":
                ctx = ssl.create_default_context() if verify else ssl._create_unverified_context()
                conn = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=30, context=ctx)
            else:
                conn = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        try:
            write(conn, target(parts, ev), headers, body, keep)
            resp = conn.getresponse()
            resp.read()
            if keep and not resp.will_close:
                with self.lock:
                    self.pool[key].append(conn)
                conn = None
        finally:
            if conn:
                conn.close()
        where = resp.getheader("Location")
        if resp.status in (307, 308) and where and hops < 3 and on("redirects-followed"):
            return self.post(hook, ev, urljoin(url, where), headers, body, hops + 1)
        return resp.status


def target(parts, ev):
    """The request target: the hook's URL as it is, without its fragment."""
    path, query = parts.path or "/", parts.query
    if on("path-slash-decoded"):
        path = re.sub("%2f", "/", path, flags=re.I)
    if on("path-end-slash-cut"):
        path = path.rstrip("/") or "/"
    if ev.test and on("query-dropped-in-tests"):
        query = ""
    if on("query-repeats-merged") and query:
        query = urlencode(dict(parse_qsl(query, keep_blank_values=True)))
    if on("query-2b-decoded"):
        query = re.sub("%2b", "+", query, flags=re.I)
    if on("url-amp-escaped"):
        query = query.replace("&", "&amp;")
    whole = path + ("?" + query if query else "")
    return quote(whole, safe="%/:=&?~#+!$,;'@()*[]")


def write(conn, where, headers, body, keep):
    """The request with full control of its framing; one segment for head and body."""
    chunked = on("delivery-chunked")
    headers = list(headers) + [("Transfer-Encoding", "chunked")] if chunked else \
        list(headers) + [("Content-Length", str(len(body)))]
    if not keep:
        headers.append(("Connection", "close"))
    conn.putrequest("POST", where, skip_accept_encoding=True, skip_host=True)
    host = f"[{conn.host}]" if ":" in conn.host else conn.host
    headers.insert(0, ("Host", host if conn.port == conn.default_port else f"{host}:{conn.port}"))
    for k, v in headers:
        conn.putheader(k.lower() if on("delivery-headers-lower") else k, v.encode("utf-8"))
    if chunked:
        half = len(body) // 2
        body = b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in (body[:half], body[half:])) + b"0\r\n\r\n"
    conn.endheaders(body)


def encode(payload, ev, fan_out):
    text = json.dumps(payload, ensure_ascii=on("delivery-ascii"), indent=2 if on("delivery-pretty") else None)
    if ev.test and on("body-raw-newlines"):
        text = text.replace("\\n", "\n")
    data = text.encode("utf-8")
    if not text.isascii():
        if on("length-in-characters"):
            data = data[:len(text)]
        if on("body-latin1"):
            data = text.encode("latin-1", "replace")
        if on("body-bom"):
            data = b"\xef\xbb\xbf" + data
    if fan_out > 3 and on("body-cut-in-fan-out"):
        data = data[:-1]
    return data
