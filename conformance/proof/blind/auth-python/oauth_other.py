"""Revocation (RFC 7009) and introspection (RFC 7662)."""
import hmac

from core import S, Resp, json_resp, now, on
from oauth_common import OAuthError, basic_credentials, client_of, revoke_family, single
from oauth_meta import issuer


def find(token, hint, hint_rules):
    """Return (kind, details) of a token."""
    order = [("access_token", S.access), ("refresh_token", S.refresh)]
    if hint_rules and hint in ("access_token", "refresh_token"):
        order = [o for o in order if o[0] == hint]
    for kind, store in order:
        if token in store:
            return kind, store[token]
    return None, None


def revoke(req):
    if req.method != "POST" and not (on("revocation-by-get") and req.method == "GET"):
        return Resp(405, "", None, [("Allow", "POST")])
    pairs = req.form_pairs()
    if req.method == "GET" or on("revocation-parameters-in-query"):
        pairs = pairs + req.query_pairs()
    params = single(pairs)
    token, hint = params.get("token"), params.get("token_type_hint")
    if on("refused-revocation-has-effect") and token:
        _, details = find(token, None, False)
        if details:
            details["revoked"] = True
    if token is None:
        if on("missing-token-revocation-200"):
            return Resp(200)
        raise OAuthError("invalid_request", "token is missing")
    if on("revocation-without-client"):
        client = {"client_id": (find(token, None, False)[1] or {}).get("client_id")}
    else:
        client = client_of(req, params, "revoke")
    if on("unknown-hint-refused") and hint not in (None, "access_token", "refresh_token"):
        raise OAuthError("unsupported_token_type", "Unknown hint")
    if on("access-token-revocation-unsupported") and token in S.access:
        raise OAuthError("unsupported_token_type", "Access tokens cannot be revoked")
    kind, details = find(token, hint, on("revocation-hint-obeyed"))
    if details is None and on("revocation-by-prefix") and len(token) >= 12:
        hit = next((t for t in list(S.access) + list(S.refresh) if t.startswith(token)), None)
        kind, details = find(hit, None, False)
    if details is None:
        if on("unknown-token-revocation-400"):
            raise OAuthError("invalid_request", "Unknown token")
        return Resp(200)
    if details["client_id"] != client["client_id"] and not on("revocation-by-other-client"):
        if on("foreign-revocation-answers-200"):
            return Resp(200)
        raise OAuthError("invalid_grant", "The token belongs to another client")
    if on("second-revocation-400") and details["revoked"]:
        raise OAuthError("invalid_request", "Already revoked")
    if not on("revocation-without-effect") and not (on("refresh-token-revocation-without-effect") and kind == "refresh_token"):
        details["revoked"] = True
        if kind == "refresh_token" and not on("revoked-refresh-keeps-access-tokens"):
            revoke_family(details["family"])
        if kind == "access_token" and on("access-revocation-ends-grant"):
            revoke_family(details["family"])
        if kind == "access_token" and on("access-revocation-ends-all-access-tokens"):
            for other in S.access.values():
                other["revoked"] = other["revoked"] or other["client_id"] == details["client_id"]
        if on("revocation-ends-other-grants-of-user"):
            for other in list(S.access.values()) + list(S.refresh.values()):
                other["revoked"] = other["revoked"] or other["login"] == details["login"]
    if on("revocation-status-204"):
        return Resp(204)
    if on("revocation-answers-json"):
        return json_resp(200, {})
    return Resp(200)


def introspection_caller(req, params):
    basic = basic_credentials(req)
    ident, secret = basic if basic else (params.get("client_id"), params.get("client_secret"))
    if on("introspection-by-any-registered-client") and ident in S.clients:
        return None
    if on("introspection-bearer-accepted") and (req.header("Authorization") or "").startswith("Bearer "):
        found = S.access.get(req.header("Authorization")[7:])
        if found and not found["revoked"]:
            return None
    client = S.clients.get(ident)
    if client and "client_secret" in client and hmac.compare_digest(client["client_secret"].encode(), (secret or "").encode()):
        if on("confidential-clients-introspect-own-tokens"):
            return ident
    if on("introspection-open") and not ident:
        return None
    right = ident == S.rs_id and hmac.compare_digest((secret or "").encode(), S.rs_secret.encode())
    if ident == S.rs_id and on("introspection-secret-not-checked"):
        right = True
    if not right:
        raise OAuthError("invalid_client", "Client authentication failed", 401, True)
    return None


def introspect(req):
    if req.method != "POST" and not (on("introspection-by-get") and req.method == "GET"):
        return Resp(405, "", None, [("Allow", "POST")])
    pairs = req.form_pairs() + (req.query_pairs() if req.method == "GET" else [])
    params = single(pairs)
    own = introspection_caller(req, params)
    token = params.get("token")
    if token is None:
        raise OAuthError("invalid_request", "token is missing")
    kind, details = find(token, params.get("token_type_hint"), on("introspection-hint-obeyed"))
    if details is None and on("introspection-by-prefix") and len(token) >= 12:
        kind, details = find(next((t for t in list(S.access) if t.startswith(token)), None), None, False)
    cache = S.misc.setdefault("introspected", {})
    if on("introspection-answers-cached") and token in cache:
        return json_resp(200, cache[token], [("Cache-Control", "no-store")])
    if details is None and on("unknown-token-introspection-404"):
        raise OAuthError("invalid_request", "Unknown token", 404)
    active = details is not None and not details["revoked"] and now() < details["exp"] and not details.get("used")
    if details is not None:
        if on("expired-token-introspects-active") and not details["revoked"] and not details.get("used"):
            active = True
        if on("revoked-token-introspects-active") and now() < details["exp"] and not details.get("used"):
            active = True
        if on("rotated-refresh-introspects-active") and not details["revoked"] and now() < details["exp"]:
            active = True
    if own and details and details["client_id"] != own:
        active = False
    if kind == "refresh_token" and on("refresh-tokens-introspect-inactive"):
        active = False
    doc = {"active": active}
    if active or (details and on("inactive-introspection-tells-more")):
        doc.update(scope=details["scope"], client_id=details["client_id"], username=details["login"], sub=details["login"],
                   exp=int(details["exp"]), iat=int(details["iat"]), iss=issuer(), aud=S.origin + "/mcp")
        if kind == "access_token":
            doc["token_type"] = "Bearer"
    if active:
        shape(doc, details, kind)
    if on("introspection-consumes-refresh-token") and kind == "refresh_token":
        details["used"] = details["used"] or now()
    cache[token] = doc
    resp = json_resp(200, doc)
    if not on("introspection-cacheable"):
        resp.add("Cache-Control", "no-store")
    return resp


def shape(doc, details, kind):
    """Switches that change members of an active answer."""
    if on("introspection-active-is-text"):
        doc["active"] = "true"
    if on("introspection-scope-is-array"):
        doc["scope"] = doc["scope"].split(" ")
    if on("introspection-scope-wrong"):
        doc["scope"] = "items:read items:write items:write:draft"
    if on("introspection-exp-is-text"):
        doc["exp"] = str(doc["exp"])
    if on("introspection-exp-is-lifetime"):
        doc["exp"] = int(details["exp"] - now())
    if on("introspection-exp-milliseconds"):
        doc["exp"] *= 1000
    if on("introspection-audience-wrong"):
        doc["aud"] = S.origin
    if on("introspection-audience-is-array"):
        doc["aud"] = [doc["aud"]]
    if on("introspection-audience-not-told"):
        doc.pop("aud")
    if on("introspection-client-wrong"):
        doc["client_id"] = S.rs_id
    if on("introspection-user-wrong"):
        doc["username"] = doc["sub"] = (S.misc.get("last-profile") or {}).get("login")
    if on("introspection-user-not-told"):
        doc.pop("username")
        doc.pop("sub")
    if on("introspection-issuer-wrong"):
        doc["iss"] = S.origin + "/introspect"
    if on("introspection-short"):
        for name in ("iss", "iat", "sub", "token_type"):
            doc.pop(name, None)
    if on("introspection-email-added"):
        doc["email"] = details["email"]
    if on("introspection-refresh-named-bearer") and kind == "refresh_token":
        doc["token_type"] = "Bearer"
