"""The token endpoint: authorization_code and refresh_token grants."""
import base64
import hashlib
import hmac
import json
import re
import time

import oauth_common
from core import LOCK, S, Resp, json_resp, now, on, scopes_of
from oauth_common import OAuthError, check_resources, client_of, issue, revoke_family, single


def challenge_of(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def check_verifier(grant, verifier):
    wrong = OAuthError("invalid_request" if on("wrong-verifier-wrong-error") else "invalid_grant", "code_verifier does not fit")
    if grant["challenge"] is None:
        if verifier:
            raise wrong
        return
    if on("verifier-not-checked"):
        return
    if verifier is None:
        if on("verifier-optional"):
            return
        raise OAuthError("invalid_grant" if on("missing-verifier-is-invalid-grant") else "invalid_request", "code_verifier is needed")
    if on("verifier-trimmed"):
        verifier = verifier.strip()
    if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier) and not on("any-verifier-accepted"):
        raise OAuthError("invalid_grant", "code_verifier is malformed")
    if (on("long-verifier-refused") and len(verifier) == 128) or (on("verifier-with-dot-refused") and set(verifier) & set(".~")):
        raise OAuthError("invalid_grant", "code_verifier is malformed")
    made = verifier if grant["method"] == "plain" else challenge_of(verifier)
    good = hmac.compare_digest(made, grant["challenge"])
    if on("verifier-may-be-the-challenge") and verifier == grant["challenge"]:
        good = True
    if on("verifier-case-insensitive") and made.lower() == grant["challenge"].lower():
        good = True
    if on("verifier-compared-by-prefix") and made[:8] == grant["challenge"][:8]:
        good = True
    if on("verifier-of-other-request-accepted") and any(c["challenge"] == made for c in S.codes.values()):
        good = True
    if not good:
        raise wrong


def code_grant(client, params):
    code = params.get("code")
    if code is None:
        raise OAuthError("invalid_grant" if on("missing-code-wrong-error") else "invalid_request", "code is missing")
    grant = S.codes.get(code)
    if grant is None and on("code-trimmed"):
        grant = S.codes.get(code.strip())
    if grant is None and on("code-case-insensitive"):
        grant = next((g for c, g in S.codes.items() if c.lower() == code.lower()), None)
    if grant is None:
        raise OAuthError("invalid_request" if on("unknown-code-wrong-error") else "invalid_grant", "Unknown code")
    if grant["client_id"] != client["client_id"] and not on("code-of-other-client-accepted"):
        if on("code-burnt-by-other-client"):
            grant["used"] = True
        if on("other-client-ends-tokens-of-code"):
            revoke_family(grant["family"])
        raise OAuthError("invalid_grant", "The code belongs to another client")
    if grant["used"] and not on("code-used-twice"):
        if not on("code-reuse-keeps-tokens"):
            revoke_family(grant["family"], refresh=not on("code-reuse-keeps-refresh-token"))
        raise OAuthError("invalid_grant", "The code was used before")
    if now() >= grant["exp"]:
        raise OAuthError("invalid_grant", "The code is too old")
    try:
        given = params.get("redirect_uri")
        if on("redirect-uri-needed-at-token") and given is None and grant["redirect_given"]:
            raise OAuthError("invalid_grant", "redirect_uri is needed")
        if given is not None and given != grant["redirect_uri"] and not on("redirect-uri-not-checked-at-token"):
            if not (on("redirect-uri-prefix-at-token") and given.startswith(grant["redirect_uri"])):
                raise OAuthError("invalid_grant", "redirect_uri differs")
        if not (on("secret-replaces-verifier") and "client_secret" in client):
            check_verifier(grant, params.get("code_verifier"))
        if not on("resource-ignored-at-token"):
            check_resources(params.get("resource") or grant["aud"])
        if "scope" in params and on("scope-widened-at-code-exchange"):
            grant["scope"] = params["scope"]
    except OAuthError:
        if on("failed-exchange-burns-code"):
            grant["used"] = True
        raise
    if on("parallel-code-exchange"):
        time.sleep(0.15)
    with LOCK:
        if grant["used"] and not on("code-used-twice") and not on("parallel-code-exchange"):
            raise OAuthError("invalid_grant", "The code was used before")
        grant["used"] = True
    if on("tokens-for-latest-user") and S.misc.get("last-profile"):
        grant = dict(grant, **{k: S.misc["last-profile"].get(k) for k in ("login", "name", "email")})
    if on("new-grant-ends-older-ones"):
        for details in list(S.access.values()) + list(S.refresh.values()):
            if details["login"] == grant["login"] and details["client_id"] == grant["client_id"]:
                details["revoked"] = True
    if on("new-grant-of-user-ends-other-clients"):
        for details in list(S.access.values()) + list(S.refresh.values()):
            if details["login"] == grant["login"] and details["client_id"] != grant["client_id"]:
                details["revoked"] = True
    with_refresh = "refresh_token" in client["grant_types"] or on("refresh-token-always-issued")
    if on("refresh-token-never-issued"):
        with_refresh = False
    grant = dict(grant, client_id=client["client_id"])
    body = issue(grant, grant["scope"], grant["scope"], with_refresh)
    if on("scope-not-told-when-defaulted") and grant["scope_asked"] is None:
        body.pop("scope")
    if on("scope-not-told-when-as-asked") and grant["scope_asked"] == grant["scope"]:
        body.pop("scope")
    return body


def refresh_grant(client, params):
    token = params.get("refresh_token")
    if token is None:
        raise OAuthError("invalid_grant" if on("missing-refresh-token-wrong-error") else "invalid_request", "refresh_token is missing")
    old = S.refresh.get(token)
    if old is None and on("access-token-refreshes"):
        old = S.access.get(token)
        old = dict(old, used=False) if old else None
    if old is None:
        raise OAuthError("invalid_grant", "Unknown refresh token")
    if old["client_id"] != client["client_id"] and not on("refresh-of-other-client-accepted"):
        if on("refresh-burnt-by-other-client"):
            old["used"] = True
        if on("other-client-ends-grant"):
            revoke_family(old["family"])
        raise OAuthError("invalid_grant", "The refresh token belongs to another client")
    if old["revoked"] and not on("revoked-refresh-token-works"):
        raise OAuthError("invalid_grant", "The refresh token is not valid")
    life = 3600 if on("refresh-token-lives-one-hour") else old["exp"] - old["iat"]
    if on("refresh-ends-with-access-token"):
        life = 1800
    if now() >= old["iat"] + life and not on("expired-refresh-token-works"):
        raise OAuthError("invalid_grant", "The refresh token is too old")
    if old["used"] and not on("old-refresh-token-works"):
        grace = on("refresh-grace-ten-seconds") and now() < old["used"] + 10
        if not grace:
            if not on("refresh-reuse-keeps-family"):
                revoke_family(old["family"], access=not on("refresh-reuse-keeps-access-tokens"))
            raise OAuthError("invalid_grant", "The refresh token was used before")
    scope = old["scope"]
    if on("refresh-bad-scope-burns-token"):
        old["used"] = old["used"] or now()
    if "scope" in params:
        asked = scopes_of(params["scope"])
        if not asked or [s for s in asked if s not in scope.split(" ")]:
            if not on("refresh-scope-widened") or [s for s in asked if s not in ("items:read", "items:write", "items:write:draft")]:
                raise OAuthError("invalid_scope", "The scope was not granted")
        if not on("refresh-narrowing-ignored"):
            scope = " ".join(dict.fromkeys(asked))
    if not on("resource-ignored-at-refresh"):
        check_resources(params.get("resource") or old["aud"])
    if on("parallel-refresh"):
        time.sleep(0.15)
    kept = on("refresh-not-rotated") or (on("confidential-refresh-not-rotated") and "client_secret" in client)
    with LOCK:
        again = old["used"] and not on("refresh-bad-scope-burns-token")
        if again and not any(on(n) for n in ("old-refresh-token-works", "parallel-refresh", "refresh-grace-ten-seconds")):
            raise OAuthError("invalid_grant", "The refresh token was used before")
        if not kept:
            old["used"] = now()
    if on("refresh-ends-old-access-token"):
        revoke_family(old["family"], refresh=False)
    grant = dict(old, client_id=client["client_id"])
    if on("refresh-gives-latest-user") and S.misc.get("last-profile"):
        grant.update({k: S.misc["last-profile"].get(k) for k in ("login", "name", "email")})
    if on("refresh-loses-email"):
        grant["email"] = None
    if on("refresh-leaves-family"):
        grant["family"] = oauth_common.random_token(8)
    body = issue(grant, scope, scope if on("refresh-narrowing-sticks") else old["scope"], not kept)
    if on("refresh-answer-without-new-token"):
        body.pop("refresh_token", None)
    return body


def extra_grants(kind, client, params):
    """Grants that only a switch turns on."""
    if kind == "password" and on("password-grant-served") and S.pattern == "oauth-provider":
        user = S.users.get(params.get("username"))
        if not user or user["password"] != params.get("password"):
            raise OAuthError("invalid_grant", "Wrong password")
        profile = user["profile"]
    elif kind == "client_credentials" and on("client-credentials-served"):
        profile = {"login": client["client_id"], "name": None, "email": None}
    else:
        raise OAuthError("invalid_request" if on("unsupported-grant-wrong-error") else "unsupported_grant_type", "Unknown grant type")
    grant = dict(profile, client_id=client["client_id"], family="extra", aud=[oauth_common.resource_url()])
    return issue(grant, "items:read", "items:read", False)


def handle(req):
    query = req.query_pairs()
    if req.method != "POST" and not (on("token-by-get") and req.method == "GET"):
        return Resp(405, "", None, [("Allow", "POST")])
    pairs = req.form_pairs()
    if req.content_type() == "application/json" and on("token-accepts-json"):
        try:
            pairs = [(k, str(v)) for k, v in json.loads(req.body).items()]
        except (ValueError, AttributeError):
            raise OAuthError("invalid_request", "Bad JSON")
    elif req.method == "POST" and req.content_type() != "application/x-www-form-urlencoded" and not on("token-any-content-type"):
        raise OAuthError("invalid_request", "The body must be form-encoded")
    if on("token-parameters-in-query") or req.method == "GET":
        pairs = pairs + [p for p in query if p[0] not in dict(pairs)]
    params = single(pairs, ("resource",), "token")
    known = {"grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "resource",
             "refresh_token", "scope", "username", "password"}
    if on("unknown-parameter-refused-at-token") and set(params) - known:
        raise OAuthError("invalid_request", "Unknown parameter")
    kind = params.get("grant_type")
    if kind is None:
        if not (on("grant-type-guessed") and "code" in params):
            raise OAuthError("unsupported_grant_type" if on("missing-grant-type-wrong-error") else "invalid_request", "grant_type is missing")
        kind = "authorization_code"
    if on("grant-type-case-insensitive"):
        kind = kind.lower()
    client = client_of(req, params, "token")
    if kind == "authorization_code":
        body = code_grant(client, params)
    elif kind == "refresh_token":
        body = refresh_grant(client, params)
    else:
        body = extra_grants(kind, client, params)
    if on("token-type-missing"):
        del body["token_type"]
    if on("token-type-wrong"):
        body["token_type"] = "mac"
    if on("token-type-lower-case"):
        body["token_type"] = "bearer"
    if on("expires-in-is-text"):
        body["expires_in"] = str(body["expires_in"])
    if on("expires-in-is-a-time"):
        body["expires_in"] = int(now()) + 1800
    if on("expires-in-milliseconds"):
        body["expires_in"] *= 1000
    if on("expires-in-not-told"):
        del body["expires_in"]
    if on("scope-is-array"):
        body["scope"] = body.get("scope", "").split(" ")
    if on("token-null-members"):
        body.setdefault("refresh_token", None)
    resp = json_resp(200, body, ctype="text/html" if on("token-as-html") else "application/json")
    if not on("token-answer-cacheable"):
        resp.add("Cache-Control", "no-store")
    if on("pragma-no-cache-added"):
        resp.add("Pragma", "no-cache")
    if on("token-open-to-browsers"):
        resp.add("Access-Control-Allow-Origin", "*")
    return resp
