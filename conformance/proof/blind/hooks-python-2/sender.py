"""Sending of deliveries: one thread per delivery, raw sockets."""
import base64, hashlib, html, json, queue, socket, ssl, threading, time, urllib.parse, uuid
from faults import on

class Conn:
    def __init__(self, s): self.s, self.f = s, s.makefile("rb")
POOL = {}; POOL_LOCK = threading.Lock()
BAD_TLS = ssl._create_unverified_context()
TOKEN = [None]

def encode(payload):
    if on("delivery-extra-fields"):
        payload = dict(payload, instance_url="https://git.example.com", schema={"v": [1, None]})
        for k in list(payload):
            if isinstance(payload[k], dict): payload[k] = dict(payload[k], extra_note="ü", extra_null=None)
    if on("delivery-in-array"): payload = [payload]
    if on("delivery-nan"):
        payload = {k: float("nan") if k.endswith("duration") and v is None else v for k, v in payload.items()}
    t = json.dumps(payload, ensure_ascii=on("delivery-ascii-json"), sort_keys=on("delivery-keys-sorted"), indent=2 if on("delivery-pretty-json") else None)
    if on("delivery-raw-newlines"): t = t.replace("\\n", "\n")
    if on("delivery-emoji-lost"): t = "".join("?" if ord(c) > 0xffff else c for c in t)
    b = t.encode()
    if on("delivery-latin-1"): b = t.encode("latin-1", "replace")
    if on("delivery-utf8-twice"): b = t.encode().decode("latin-1").encode()
    if on("delivery-bom"): b = b"\xef\xbb\xbf" + b
    ctype = "application/json"
    if on("delivery-charset"): ctype = "application/json; charset=utf-8"
    if on("delivery-content-type-text"): ctype = "text/plain"
    if on("delivery-form-encoded"): b = b"payload=" + urllib.parse.quote(t).encode(); ctype = "application/x-www-form-urlencoded"
    return b, ctype, len(t)

def target(url):
    """-> scheme, host, port, hostheader, request target, userinfo"""
    if on("url-truncated-255"): url = url[:255]
    rest = url.split("://", 1); scheme = rest[0].lower(); rest = rest[1]
    frag = ""
    if "#" in rest: rest, frag = rest.split("#", 1)
    i = min([rest.index(c) for c in "/?" if c in rest] or [len(rest)])
    auth, path = rest[:i], rest[i:]
    user = None
    if "@" in auth: user, auth = auth.rsplit("@", 1)
    path, q, query = path.partition("?")
    path = path or "/"
    if on("url-percent-decoded"): path = path.replace("%2F", "/").replace("%2f", "/")
    if on("url-trailing-slash-stripped") and len(path) > 1: path = path.rstrip("/") or "/"
    if on("url-path-lower-case"): path = path.lower()
    if on("url-double-slash-collapsed"):
        while "//" in path: path = path.replace("//", "/")
    if on("url-plus-becomes-space"): query = query.replace("+", "%20")
    if on("url-empty-parameter-dropped"): query = "&".join(x for x in query.split("&") if not x.endswith("="))
    if on("url-repeated-parameter-dropped"):
        d = {}
        for x in query.split("&"): d[x.split("=")[0]] = x
        query = "&".join(d.values())
    tgt = path + q + query
    if on("url-query-dropped"): tgt = path
    tgt = "".join(c if 33 <= ord(c) < 127 else urllib.parse.quote(c) for c in tgt)
    if on("url-percent-encoded-twice"): tgt = tgt.replace("%", "%25")
    if on("url-fragment-sent") and frag: tgt += "#" + frag
    if auth.startswith("["):
        host, _, port = auth[1:].partition("]"); port = port.lstrip(":"); hh = "[%s]" % host
    else: host, _, port = auth.partition(":"); hh = host
    dp = 443 if scheme == "https" else 80
    port = int(port) if port else dp
    if port != dp and not on("host-without-port"): hh += ":%d" % port
    return scheme, host, port, hh, tgt, user

def read_response(c):
    line = c.f.readline(65536)
    while True:
        if not line: raise OSError("no answer")
        st = int(line.split()[1]); h = {}
        while True:
            l = c.f.readline(65536)
            if l in (b"\r\n", b"\n", b""): break
            k, _, v = l.decode("latin-1").partition(":"); h[k.strip().lower()] = v.strip()
        if st >= 200: break
        line = c.f.readline(65536)
    return st, h

def once(d):
    """One try. -> status, header. Raises OSError."""
    scheme, host, port, hh, tgt, user = target(d["url"])
    to = 2.0 if on("timeout-2s-retried") else 10.0
    key = (scheme, host, port, d["verify"]); c = None
    if on("delivery-keep-alive"):
        with POOL_LOCK: c = POOL.get(key, []) and POOL[key].pop()
    body, ctype, nchars = d["body"], d["ctype"], d["nchars"]
    ch = on("delivery-chunked"); v = "1.0" if on("delivery-http-1-0") else "1.1"
    H = []
    if not on("host-missing"): H.append(("Host", hh))
    ua = "GitAtelier/4.2.1"
    if on("user-agent-other"): ua = "hookd/0.9"
    if on("user-agent-with-comment"): ua = "GitAtelier/4.2.1 (linux; +https://git.example.com)"
    if on("user-agent-without-version"): ua = "GitAtelier"
    if not on("user-agent-missing") and not (d["test"] and on("user-agent-missing-on-test")): H.append(("User-Agent", ua))
    H += [("Accept", "*/*"), ("Content-Type", ctype)]
    if not on("event-header-missing"): H.append(("X-Hook-Event", d["event"]))
    if d["token"] is not None: H.append(("X-Hook-Secret" if on("token-header-renamed") else "X-Hook-Token", d["token"]))
    if user is not None and on("userinfo-as-basic"): H.append(("Authorization", "Basic " + base64.b64encode(urllib.parse.unquote_to_bytes(user)).decode()))
    if on("delivery-extra-headers"): H += [("X-Hook-Instance", "https://git.example.com"), ("X-Hook-UUID", d["uuid"]), ("Idempotency-Key", d["uuid"])]
    if ch: H.append(("Transfer-Encoding", "chunked"))
    else: H.append(("Content-Length", str(nchars if on("delivery-length-in-characters") else len(body))))
    exp = on("delivery-expect-continue")
    if exp: H.append(("Expect", "100-continue"))
    if not on("delivery-keep-alive"): H.append(("Connection", "close"))
    case = str.lower if on("delivery-headers-lower-case") else str.upper if on("delivery-headers-upper-case") else str
    head = "%s %s HTTP/%s\r\n" % ("PUT" if on("delivery-method-put") else "POST", tgt, v) + "".join("%s: %s\r\n" % (case(k), x) for k, x in H) + "\r\n"
    head = head.encode("utf-8")
    if ch: parts = [b"%x\r\n%s\r\n" % (len(body[i:i + 700]), body[i:i + 700]) for i in range(0, len(body), 700)] + [b"0\r\n\r\n"]
    elif on("delivery-slow-body"): n = len(body) // 4 + 1; parts = [body[i:i + n] for i in range(0, len(body), n)]
    else: parts = [body]
    def exchange(c):
        if exp:
            c.s.sendall(head)
            import select
            if select.select([c.s], [], [], 0.3)[0] and scheme == "http":
                l = c.f.peek(64)[:12]
                if not l.split()[1:2] or l.split()[1] >= b"200": return read_response(c)
            c.s.sendall(b"".join(parts))
        elif len(parts) == 1: c.s.sendall(head + parts[0])
        else:
            c.s.sendall(head)
            for x in parts:
                if on("delivery-slow-body"): time.sleep(0.05)
                c.s.sendall(x)
        return read_response(c)
    if c:
        try: st, h = exchange(c); return fin(c, key, st, h)
        except OSError: c.s.close()
    s = socket.create_connection((host, port), timeout=to)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if scheme == "https":
            ctx = ssl.create_default_context() if d["verify"] else BAD_TLS
            s = ctx.wrap_socket(s, server_hostname=host)
        c = Conn(s); st, h = exchange(c)
        return fin(c, key, st, h)
    except BaseException:
        s.close(); raise
def fin(c, key, st, h):
    if on("delivery-keep-alive") and h.get("connection", "").lower() != "close" and h.get("content-length", "").isdigit():
        c.f.read(int(h["content-length"]))
        with POOL_LOCK: POOL.setdefault(key, []).append(c)
    elif on("ack-needs-body"):
        try: h["_body"] = c.f.read(int(h["content-length"]) if h.get("content-length") else 1)
        except (OSError, ValueError): h["_body"] = b""
        c.f.close(); c.s.close()
    else: c.f.close(); c.s.close()
    return st, h

def run(d, hook):
    """All tries of a delivery; -> status or 0"""
    if on("delivery-delayed"): time.sleep(0.4)
    tries5 = 2; again = 1; conn = 1; acks = 1; st = 0
    for _ in range(6):
        try: st, h = once(d)
        except socket.timeout:
            st = 0
            if on("timeout-2s-retried") and again: again -= 1; continue
            break
        except (OSError, ValueError, IndexError):
            st = 0
            if on("retry-connection-failure") and conn: conn -= 1; time.sleep(0.5); continue
            break
        if on("redirects-followed") and st in (307, 308) and h.get("location"):
            d = dict(d, url=urllib.parse.urljoin(d["url"], h["location"])); continue
        ok = 200 <= st < 300
        if acks and ok and ((on("ack-200-only") and st != 200) or (on("ack-204-not-accepted") and st == 204) or (on("ack-needs-body") and not h.get("_body"))):
            acks -= 1; time.sleep(0.1); continue
        if on("retry-5xx") and st >= 500 and tries5: tries5 -= 1; time.sleep(0.3); continue
        if on("retry-non-2xx") and not ok and again: again -= 1; time.sleep(0.1); continue
        break
    good = 200 <= st < 300
    hook["fails"] = 0 if good else hook.get("fails", 0) + 1
    if st and not good: hook["non2xx"] = True
    return st
