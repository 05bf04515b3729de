"""The door of the MCP endpoint: reads the bearer token and finds out who is calling."""
import base64
import json
import re
import unicodedata

import jwtcheck
from core import S, Resp, json_resp, now, on


class Refused(Exception):
    """Carries the answer of a refused request."""

    def __init__(self, resp, why):
        super().__init__(why)
        self.resp = resp
        self.why = why


def metadata_url():
    if on("challenge-metadata-url-dead"):
        return S.origin + "/.well-known/oauth-protected-resource-metadata"
    if on("challenge-metadata-url-relative"):
        return "/.well-known/oauth-protected-resource/mcp"
    return S.origin + "/.well-known/oauth-protected-resource/mcp"


def challenge(error=None, description=None, scope=None):
    parts = []
    if on("challenge-has-realm"):
        parts.append('realm="notes"')
    if S.pattern != "jwt" and not on("challenge-without-metadata-url"):
        parts.append(('resource_metadata=%s' if on("challenge-unquoted-url") else 'resource_metadata="%s"') % metadata_url())
    if scope and not on("challenge-without-scope"):
        parts.append('scope="%s"' % scope)
    if error:
        parts.insert(0, 'error="%s"' % error)
        if description:
            parts.insert(1, 'error_description="%s"' % description)
    return ("Bearer " + ", ".join(parts)).strip()


def refuse_absent():
    if S.pattern == "jwt":
        status = 403 if on("jwt-absent-403") else 400 if on("jwt-absent-400") else 401
        resp = Resp(status, "" if on("jwt-401-empty") else "Unauthorized", "text/plain; charset=utf-8")
        if on("jwt-401-json"):
            resp = json_resp(status, {"error": "unauthorized"})
        if on("jwt-401-long-text"):
            resp.body = b"Unauthorized. Configuration: issuer=%s audience=%s. " % (
                S.jwt_issuer.encode(), S.jwt_audience.encode()) + b"Traceback: " + b"door.py, line 1; " * 60
    else:
        resp = json_resp(401, {"error": "unauthorized", "error_description": "A bearer token is needed."})
    if not on("challenge-missing"):
        first = "invalid_token" if on("challenge-error-without-token") else None
        value = challenge(first, None, "items:read" if S.pattern != "jwt" else None)
        if on("challenge-names-basic"):
            value = 'Basic realm="notes"'
        resp.add("WWW-Authenticate", value)
    raise Refused(resp, "absent")


def refuse_invalid(why):
    if S.pattern == "jwt":
        status = 403
        if on("jwt-invalid-401") or (on("jwt-expired-401") and why == "expired") or (
                on("jwt-wrong-audience-401") and why == "audience"):
            status = 401
        if on("jwt-malformed-400") and why in ("parts", "malformed", "not JSON", "not ASCII"):
            status = 400
        resp = Resp(status, "" if on("jwt-403-empty") else "Invalid token", "text/plain; charset=utf-8")
        if on("jwt-403-json"):
            resp = json_resp(status, {"error": "invalid_token"})
        if on("jwt-403-names-reason"):
            resp.body = ("Invalid token: " + why).encode()
        if status == 401 or on("jwt-403-has-challenge"):
            resp.add("WWW-Authenticate", challenge("invalid_token"))
        raise Refused(resp, why)
    status = 403 if on("invalid-token-403") else 400 if on("invalid-token-400") else 401
    resp = json_resp(status, {"error": "invalid_token", "error_description": "The access token is not valid."})
    error = None if on("invalid-token-without-error") else "invalid_token"
    text = "The access token is not valid"
    if on("challenge-bad-characters"):
        text = 'The "access token" is not valid \\ n\u00e3o'
    if not on("challenge-missing"):
        resp.add("WWW-Authenticate", challenge(error, text if error else None, "items:read"))
    raise Refused(resp, why)


def read_token(req):
    """Return the bearer token or None when the request carries none."""
    values = req.headers.get_all("Authorization") or []
    if len(values) > 1 and not on("first-authorization-header-wins"):
        if on("any-authorization-header-accepted"):
            for value in values:
                token = value.partition(" ")[2].strip()
                try:
                    lookup(token)
                    return token
                except Refused:
                    continue
        raise Refused(Resp(400, "Only one Authorization header is allowed", "text/plain"), "two headers")
    if values:
        value = values[0].strip(" \t")
        scheme, _, rest = value.partition(" ")
        if on("token-without-scheme-accepted") and not rest and len(value) > 20:
            return value
        if on("other-scheme-accepted") and scheme.lower() == "token":
            return rest.strip()
        if on("basic-password-accepted") and scheme.lower() == "basic":
            try:
                return base64.b64decode(rest).decode().partition(":")[2]
            except ValueError:
                return None
        right = scheme == "Bearer" if on("bearer-scheme-case-sensitive") else scheme.lower() == "bearer"
        if right:
            if on("single-space-only") and rest.startswith(" "):
                return ""
            token = rest.strip(" ")
            if token or S.pattern == "jwt" and not on("jwt-empty-bearer-401"):
                return token
            return None
        if S.pattern == "jwt" and on("jwt-other-scheme-403"):
            return ""
    elif on("token-in-query-accepted"):
        return dict(req.query_pairs()).get("access_token")
    if on("token-in-cookie-accepted") and "access_token" in req.cookies():
        return req.cookies()["access_token"]
    if on("token-in-other-header-accepted"):
        return req.header("X-Access-Token") or req.header("X-Api-Key")
    return None


def lookup(token, skip=()):
    """Return the caller's details for a token or raise Refused."""
    if S.pattern == "jwt":
        return lookup_jwt(token, skip)
    cache = S.misc.setdefault("verdicts", {})
    with_cache = cache.get(token)
    short = cache.get(token[:24]) if on("verdict-cache-keyed-by-prefix") else None
    if short:
        return short
    found = S.access.get(token)
    if on("refresh-token-opens-mcp") and token in S.refresh:
        found = dict(S.refresh[token], aud=[S.origin + "/mcp"])
    if on("code-opens-mcp") and token in S.codes:
        found = dict(S.codes[token], aud=[S.origin + "/mcp"])
    if found is None and on("token-case-insensitive"):
        found = next((d for t, d in S.access.items() if t.lower() == token.lower()), None)
    if found is None and on("token-trailing-characters-ignored"):
        found = S.access.get(token[:43])
    if found is None and on("upstream-token-opens-mcp"):
        import upstream
        profile = upstream.fetch_profile(token)
        if profile:
            return dict(profile, scope="items:read", client_id="upstream", token=token, aud=[])
    if found is None:
        refuse_invalid("unknown")
    if found.get("revoked") and "revoked" not in skip and not (with_cache and on("verdict-cached-after-revocation")):
        refuse_invalid("revoked")
    expires = found["exp"]
    if on("access-token-ends-early"):
        expires = found["iat"] + 300
    if now() >= expires and "exp" not in skip and not on("access-token-never-expires") and not (
            with_cache and on("verdict-cached-after-expiry")):
        refuse_invalid("expired")
    if on("access-token-used-once") and with_cache:
        refuse_invalid("used")
    if (S.origin + "/mcp") not in found.get("aud", []):
        refuse_invalid("audience")
    who = {"login": found["login"], "name": found.get("name"), "email": found.get("email"),
           "scope": found["scope"], "client_id": found["client_id"], "token": token,
           "upstream_token": found.get("upstream_token")}
    cache[token] = who
    cache[token[:24]] = who
    return who


def lookup_jwt(token, skip=()):
    cache = S.misc.setdefault("verdicts", {})
    if on("verdict-cached-after-expiry") and token in cache:
        return cache[token]
    key = token.rpartition(".")[0]
    if on("verdict-cache-keyed-by-prefix") and key in cache:
        return cache[key]
    if on("jwt-lockout-after-five") and S.misc.get("failures", 0) >= 5:
        refuse_invalid("locked out")
    try:
        claims = jwtcheck.verify(token, skip)
    except jwtcheck.Bad as bad:
        S.misc["failures"] = S.misc.get("failures", 0) + 1
        refuse_invalid(bad.reason)
    login, email = jwtcheck.person(claims)
    if on("jwt-email-kept-from-first-token"):
        email = S.misc.setdefault("emails", {}).setdefault(login, email)
    who = {"login": login, "name": claims.get("name"), "email": email,
           "scope": "items:read items:write", "client_id": "jwt", "token": token}
    if on("jwt-cached-by-jti") and claims.get("jti"):
        who = cache.setdefault(("jti", str(claims["jti"])), who)
    cache[token] = cache[key] = who
    return who


def session_of(req):
    return S.sessions.get(req.header("Mcp-Session-Id") or "")


def peek_methods(req):
    try:
        value = json.loads(req.body)
    except ValueError:
        return []
    return [m.get("method") for m in (value if isinstance(value, list) else [value]) if isinstance(m, dict)]


ANYONE = {"login": None, "name": None, "email": None, "scope": "items:read", "client_id": "anyone", "token": ""}


def open_without_token(req, session):
    """The callers whom a switch lets in without a token."""
    methods = peek_methods(req)
    if on("initialize-without-token") and methods == ["initialize"]:
        return ANYONE
    if on("tools-list-without-token") and methods == ["tools/list"]:
        return ANYONE
    if on("ping-without-token") and methods == ["ping"]:
        return ANYONE
    if on("notifications-without-token") and methods and str(methods[0]).startswith("notifications/"):
        return ANYONE
    if on("get-stream-without-token") and req.method == "GET":
        return ANYONE
    if on("session-end-without-token") and req.method == "DELETE":
        return ANYONE
    if session and on("session-replaces-token"):
        return session["principal"]
    if on("connection-keeps-login") and "who" in req.conn:
        return req.conn["who"]
    if on("token-remembered-by-address") and S.misc.get("last-caller"):
        return S.misc["last-caller"]
    return None


def enter(req):
    """Authenticate one request to /mcp."""
    session = session_of(req)
    token = read_token(req)
    if token is None:
        who = open_without_token(req, session)
        if who is None:
            refuse_absent()
        return who
    skip = set()
    if session and on("session-skips-expiry"):
        skip.add("exp")
    if session and on("session-skips-revocation"):
        skip.add("revoked")
    if session and on("session-skips-audience"):
        skip.add("aud")
    if session and on("session-skips-verification"):
        return session["principal"]
    if on("connection-poisoned-by-refusal") and req.conn.get("refused"):
        refuse_invalid("poisoned")
    req.conn["refused"] = True
    who = lookup(token, skip)
    req.conn["refused"] = False
    if session and on("session-keeps-first-scopes"):
        who = dict(who, scope=session["principal"]["scope"])
    if session and on("session-keeps-first-user"):
        who = session["principal"]
    if on("connection-keeps-first-user"):
        who = req.conn.setdefault("first", who)
    req.conn["who"] = who
    S.misc["last-caller"] = who
    if on("non-ascii-login-mangled") and who["login"]:
        who = dict(who, login=who["login"].encode().decode("latin-1"))
    if on("non-ascii-login-stripped") and who["login"]:
        who = dict(who, login=re.sub(r"[^\x20-\x7e]", "", who["login"]))
    if on("login-unicode-folded") and who["login"]:
        who = dict(who, login=unicodedata.normalize("NFKC", who["login"]))
    if on("login-case-folded") and who["login"]:
        who = dict(who, login=who["login"].lower())
    return who
