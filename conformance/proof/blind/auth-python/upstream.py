"""The upstream identity provider of the pattern `oauth-proxy`: redirect, callback, exchange, profile."""
import base64
import hashlib
import http.client
import json
import time
from urllib.parse import parse_qs, quote_plus, urlencode, urlsplit

import oauth_authorize
import oauth_pages
from core import LOCK, S, Resp, add_query, env, log, now, on, random_token, redirect


class UpstreamError(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def fetch(method, url, body=None, headers=None, hops=0):
    """One request to the upstream provider; no redirects are followed."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    limit = 2 if on("upstream-time-limit-two-seconds") else 30
    conn = kind(parts.hostname, parts.port, timeout=limit)
    try:
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        conn.request(method, target, body, headers or {})
        resp = conn.getresponse()
        data = resp.read(2_000_000)
        follow = (on("upstream-token-redirect-followed") and method == "POST") or (
            on("upstream-user-redirect-followed") and method == "GET")
        if follow and resp.status in (301, 302, 303, 307, 308) and hops < 3 and resp.getheader("Location"):
            return fetch(method, resp.getheader("Location"), body, headers, hops + 1)
        return resp.status, resp.getheader("Content-Type") or "", data
    except (OSError, http.client.HTTPException) as error:
        raise UpstreamError("temporarily_unavailable", "no answer: " + type(error).__name__)
    finally:
        conn.close()


def send_away(txn, sid):
    """After the consent: send the browser to the upstream provider."""
    state = random_token(24)
    if on("upstream-state-counts-up"):
        state = "state-%d" % S.next_number()
    if on("upstream-state-is-client-state") and txn["state"]:
        state = txn["state"]
    if on("upstream-state-is-request-id"):
        state = txn["id"]
    verifier = random_token(40)
    if on("upstream-verifier-always-same"):
        verifier = S.misc.setdefault("verifier", verifier)
    back = S.origin + "/callback"
    scope = env("UPSTREAM_SCOPES")
    if on("upstream-scope-widened"):
        scope += " admin"
    if on("upstream-scope-of-client"):
        scope = txn["scope"]
    pairs = [("response_type", "code"), ("client_id", env("UPSTREAM_CLIENT_ID")), ("redirect_uri", back),
             ("scope", scope), ("state", state)]
    if on("upstream-redirect-uri-of-client"):
        pairs[2] = ("redirect_uri", txn["redirect_uri"])
    if on("upstream-scope-missing"):
        pairs = [p for p in pairs if p[0] != "scope"]
    if on("upstream-state-missing"):
        pairs = pairs[:-1]
    if on("upstream-secret-in-browser"):
        pairs.append(("client_secret", env("UPSTREAM_CLIENT_SECRET")))
    if not on("upstream-without-pkce"):
        digest = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if on("upstream-pkce-plain"):
            pairs += [("code_challenge", verifier), ("code_challenge_method", "plain")]
        else:
            pairs += [("code_challenge", challenge), ("code_challenge_method", "S256")]
    if on("upstream-always-asks"):
        pairs.append(("prompt", "consent"))
    with LOCK:
        S.upstates[state] = {"txn": txn, "sid": sid, "created": now(), "verifier": verifier, "used": False}
    S.misc["last-upstate"] = state
    url = env("UPSTREAM_AUTHORIZE_URL")
    if on("upstream-query-lost"):
        url = url.partition("?")[0]
    return redirect(add_query(url, pairs))


def take_state(req, params):
    """Find the pending flow for the state of a callback; None when it is not good."""
    state = (params.get("state") or [None])[0]
    flow = S.upstates.get(state)
    if flow is None and on("upstream-state-not-checked"):
        flow = S.upstates.get(S.misc.get("last-upstate"))
    if flow is None and (on("upstream-state-optional") and state is None or on("upstream-state-missing") and not state):
        flow = S.upstates.get(S.misc.get("last-upstate"))
    if flow is None and on("callback-without-consent-accepted") and state in S.txns:
        txn = S.txns[state]
        flow = {"txn": txn, "sid": txn["sid"], "created": now(), "verifier": "", "used": False}
    if flow is None:
        return None
    if flow["used"] and not on("upstream-state-used-twice"):
        return None
    if now() > flow["created"] + 600 and not on("upstream-state-never-ends"):
        return None
    if req.cookies().get(oauth_pages.COOKIE) != flow["sid"] and not on("callback-of-other-browser-accepted"):
        if on("callback-of-other-browser-burns-state"):
            flow["used"] = True
        return None
    if on("parallel-callbacks"):
        time.sleep(0.15)
    with LOCK:
        if flow["used"] and not on("upstream-state-used-twice") and not on("parallel-callbacks"):
            return None
        flow["used"] = True
    return flow


def callback(req):
    """GET /callback: the upstream provider sends the browser back."""
    if req.method != "GET":
        return Resp(405, "", None, [("Allow", "GET")])
    params = parse_qs(req.query, keep_blank_values=True)
    flow = take_state(req, params)
    if flow is None:
        return oauth_authorize.problem("The answer of the sign-in service does not belong to a request of this browser.")
    txn = flow["txn"]
    try:
        if any(len(v) > 1 for v in params.values()) and not on("upstream-double-parameters-accepted"):
            raise UpstreamError("server_error", "double parameters")
        if "error" in params and on("upstream-state-kept-after-error"):
            flow["used"] = False
        if "error" in params and not (on("upstream-error-beside-code-ignored") and "code" in params):
            if on("upstream-denial-signs-in-last-user") and S.misc.get("last-profile"):
                return oauth_pages.finish(txn, S.misc["last-profile"])
            code = params["error"][0]
            if code not in ("access_denied", "temporarily_unavailable") and not on("upstream-error-code-passed-on"):
                code = "server_error"
            if on("upstream-denial-is-server-error"):
                code = "server_error"
            if on("upstream-error-text-passed-on"):
                text = params.get("error_description", ["?"])[0]
                return oauth_authorize.answer(txn, [("error", code), ("error_description", text)])
            raise UpstreamError(code, "upstream error")
        if not params.get("code", [""])[0]:
            raise UpstreamError("server_error", "no code")
        token = exchange(params["code"][0], flow)
        profile = fetch_profile(token, True)
        return oauth_pages.finish(txn, profile)
    except UpstreamError as error:
        log("upstream failure: %s" % error)
        if on("upstream-failure-shown-not-redirected"):
            return Resp(502, "The sign-in service failed", "text/plain")
        code = "access_denied" if on("upstream-failure-is-access-denied") else error.code
        return oauth_authorize.answer(txn, [("error", code), ("error_description", "The sign-in service did not confirm the user")])


def exchange(code, flow):
    """Exchange the upstream code for the upstream token."""
    ident, secret = env("UPSTREAM_CLIENT_ID"), env("UPSTREAM_CLIENT_SECRET")
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": S.origin + "/callback"}
    if on("upstream-redirect-uri-missing-at-token"):
        del form["redirect_uri"]
    if on("upstream-redirect-uri-differs-at-token"):
        form["redirect_uri"] = S.origin + "/callback/"
    if not on("upstream-without-pkce") and not on("upstream-verifier-missing"):
        form["code_verifier"] = flow["verifier"]
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if on("upstream-basic-auth"):
        pair = quote_plus(ident) + ":" + quote_plus(secret)
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    else:
        form.update(client_id=ident, client_secret=secret)
    if on("upstream-code-trimmed"):
        form["code"] = code.strip("=")
    url, body = env("UPSTREAM_TOKEN_URL"), urlencode(form)
    if on("upstream-secret-in-query"):
        url = add_query(url, [("client_secret", secret)])
    if on("upstream-exchange-as-json"):
        headers["Content-Type"], body = "application/json", json.dumps(form)
    status, kind, data = fetch("POST", url, body, headers)
    if on("upstream-code-sent-twice") or (on("upstream-code-retried-after-failure") and status >= 500):
        again = fetch("POST", url, body, headers)
        if status >= 500:
            status, kind, data = again
    if status != 200 and not on("upstream-token-status-ignored"):
        raise UpstreamError("server_error", "token status %d" % status)
    try:
        value = json.loads(data)
    except ValueError:
        if on("upstream-form-answer-accepted") and "urlencoded" in kind:
            value = {k: v[0] for k, v in parse_qs(data.decode("utf-8", "replace")).items()}
        elif on("upstream-bad-json-500"):
            raise
        else:
            raise UpstreamError("server_error", "token answer is not JSON")
    if not isinstance(value, dict):
        raise UpstreamError("server_error", "token answer is not an object")
    if "error" in value and not on("upstream-error-in-200-ignored"):
        raise UpstreamError("server_error", "error in token answer")
    token, sort = value.get("access_token"), value.get("token_type")
    if on("upstream-missing-token-accepted") and token is None:
        token = "None"
    if not isinstance(token, str) or not token or (
            not token.isascii() or any(c <= " " for c in token)) and not on("upstream-odd-token-500"):
        raise UpstreamError("server_error", "no access token")
    if not on("upstream-token-type-ignored"):
        lower = sort == "Bearer" if on("upstream-token-type-exact-case") else isinstance(sort, str) and sort.lower() == "bearer"
        if not lower and not (on("upstream-token-type-optional") and sort is None):
            raise UpstreamError("server_error", "token type")
    return token


def fetch_profile(token, strict=False):
    """Read the user behind an upstream token."""
    memory = S.misc.setdefault("upstream-profiles", {})
    if on("upstream-profile-cached-for-everyone") and memory.get("any"):
        return memory["any"]
    url, headers = env("UPSTREAM_USER_URL"), {"Authorization": "Bearer " + token, "Accept": "application/json"}
    if on("upstream-token-in-query"):
        url, headers = add_query(url, [("access_token", token)]), {"Accept": "application/json"}
    if on("upstream-token-scheme-token"):
        headers["Authorization"] = "token " + token
    status, _, data = fetch("GET", url, None, headers)
    if status != 200 and not on("upstream-user-status-ignored"):
        if strict:
            raise UpstreamError("server_error", "user status %d" % status)
        return None
    try:
        value = json.loads(data.decode("latin-1" if on("upstream-profile-latin1") else "utf-8"))
    except ValueError:
        if on("upstream-bad-json-500"):
            raise
        raise UpstreamError("server_error", "user answer is not JSON")
    if not isinstance(value, dict):
        raise UpstreamError("server_error", "user answer is not an object")
    login = value.get("login")
    if on("upstream-missing-login-accepted") and login is None:
        login = "undefined"
    if on("upstream-number-login-accepted") and isinstance(login, int):
        login = str(login)
    if on("upstream-empty-login-accepted") and login == "":
        login = " "
    if not isinstance(login, str) or not login.strip() and not on("upstream-empty-login-accepted"):
        raise UpstreamError("server_error", "user without login")
    if on("upstream-login-trimmed"):
        login = login.strip()
    if on("upstream-login-lower-cased"):
        login = login.lower()
    name, email = (value.get(k) if isinstance(value.get(k), str) else None for k in ("name", "email"))
    if on("upstream-email-missing-refused") and email is None:
        raise UpstreamError("access_denied", "user without email")
    if on("upstream-email-of-previous-user") and email is None:
        email = memory.get("email")
    if on("upstream-users-joined-by-email") and email:
        login = memory.setdefault("mail:" + email, login)
    if on("upstream-name-replaces-login") and name:
        login = name
    if on("upstream-login-cut-at-20"):
        login = login[:20]
    if on("upstream-email-kept-from-first-sign-in"):
        email = memory.setdefault("first:" + login, email)
    memory["email"] = email or memory.get("email")
    profile = {"login": login, "name": name, "email": email, "upstream_token": token}
    memory.setdefault("any", profile)
    return profile
