"""Parts that the OAuth endpoints share: parameters, errors, client authentication, tokens."""
import base64
import hmac
from urllib.parse import unquote_plus

from core import LOCK, S, Resp, json_resp, now, on, random_token, resource_url


class OAuthError(Exception):
    def __init__(self, code, text="The request is not valid", status=400, basic=False):
        super().__init__(code)
        self.code, self.text, self.status, self.basic = code, text, status, basic

    def resp(self):
        status = self.status
        if on("invalid-grant-401") and self.code == "invalid_grant":
            status = 401
        if on("oauth-errors-200"):
            status = 200
        text = self.text
        if on("error-description-bad-characters"):
            text = 'Ung\u00fcltig: "%s"\n' % text
        body = {"error": self.code, "error_description": text}
        if on("error-field-is-object"):
            body = {"error": {"code": self.code, "message": text}}
        if on("error-uri-added"):
            body["error_uri"] = S.origin + "/docs/errors#" + self.code
        if on("oauth-errors-without-description"):
            body.pop("error_description", None)
        resp = json_resp(status, body)
        if on("oauth-errors-as-plain-text"):
            resp = Resp(status, self.code, "text/plain")
        if not on("oauth-errors-cacheable"):
            resp.add("Cache-Control", "no-store")
        if status == 401 and (self.basic or on("invalid-client-always-challenges")) and not on("invalid-client-no-challenge"):
            resp.add("WWW-Authenticate", 'Basic realm="notes"')
        return resp


def single(pairs, many=(), where="token"):
    """Turn parameter pairs into a dict; a parameter may appear once; empty ones count as absent."""
    out = {}
    for name, value in pairs:
        if value == "" and not (name == "scope" and on("empty-scope-is-invalid")) and not (
                name == "state" and on("empty-state-returned")):
            continue
        if name in many:
            out.setdefault(name, []).append(value)
        elif name in out:
            if on("duplicate-parameters-at-" + where):
                continue
            raise OAuthError("invalid_request", "A parameter appears twice")
        else:
            out[name] = value
    return out


def basic_credentials(req):
    value = req.header("Authorization")
    if value is None:
        return None
    scheme, _, rest = value.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, sep, word = base64.b64decode(rest.strip(), validate=True).decode().partition(":")
    except ValueError:
        raise OAuthError("invalid_client", "Malformed credentials", 401, True)
    if not sep:
        raise OAuthError("invalid_client", "Malformed credentials", 401, True)
    return unquote_plus(user), unquote_plus(word)


def secret_ok(client, secret):
    good = client["client_secret"]
    ends = client["client_secret_expires_at"]
    if on("secret-ends-though-announced-endless") and now() > client["client_id_issued_at"] + 86400:
        return False
    if ends and now() >= ends and not on("secret-works-after-announced-end"):
        return False
    if on("secret-not-checked"):
        return True
    if on("secret-compared-by-prefix") and secret and good.startswith(secret[:8]):
        return True
    if on("secret-of-any-client-accepted"):
        return any(c.get("client_secret") == secret for c in S.clients.values())
    if on("secret-case-insensitive"):
        return good.lower() == secret.lower()
    return hmac.compare_digest(good.encode(), secret.encode())


def client_of(req, params, endpoint):
    """Authenticate the client of a token or revocation request."""
    basic = basic_credentials(req)
    ident, secret = params.get("client_id"), params.get("client_secret")
    bad_status = 400 if on("invalid-client-400") and not basic else 401
    if basic and on("basic-auth-refused-though-announced"):
        raise OAuthError("invalid_client", "Use client_secret_post", 401, True)
    if secret and on("post-auth-refused-though-announced"):
        raise OAuthError("invalid_client", "Use client_secret_basic", bad_status)
    if basic:
        if secret and not on("two-auth-methods-accepted"):
            raise OAuthError("invalid_request", "Two ways of client authentication")
        if ident and ident != basic[0] and not on("body-client-id-wins"):
            raise OAuthError("invalid_request", "Two different client_id values")
        chosen = (ident or basic[0]) if on("body-client-id-wins") else basic[0]
        client = S.clients.get(basic[0])
        status = 400 if on("invalid-basic-client-400") else 401
        if not client or "client_secret" not in client or not secret_ok(client, basic[1]):
            raise OAuthError("invalid_client", "Client authentication failed", status, status == 401)
        if on("registered-auth-method-enforced") and client["token_endpoint_auth_method"] != "client_secret_basic":
            raise OAuthError("invalid_client", "Use the registered method", 401, True)
        return S.clients.get(chosen, client)
    if not ident:
        found = params.get("refresh_token") or params.get("code")
        details = S.refresh.get(found) or S.codes.get(found)
        if details and on("client-id-optional-at-token"):
            return S.clients[details["client_id"]]
        raise OAuthError("invalid_client" if on("missing-client-is-invalid-client") else "invalid_request",
                         "client_id is missing", 401 if on("missing-client-is-invalid-client") else 400)
    client = S.clients.get(ident)
    if client is None:
        if on("unknown-client-accepted-at-refresh") and params.get("grant_type") == "refresh_token":
            return {"client_id": ident, "token_endpoint_auth_method": "none", "grant_types": ["refresh_token"]}
        raise OAuthError("unauthorized_client" if on("unknown-client-wrong-error") else "invalid_client",
                         "Unknown client", bad_status)
    if "client_secret" in client:
        skipped = on("secret-optional") or (on("secret-optional-at-refresh") and params.get("grant_type") == "refresh_token") \
            or (on("secret-optional-at-revoke") and endpoint == "revoke")
        if secret is None and not skipped:
            raise OAuthError("invalid_client", "Client authentication failed", bad_status)
        if secret is not None and not secret_ok(client, secret):
            raise OAuthError("invalid_client", "Client authentication failed", bad_status)
        if on("registered-auth-method-enforced") and client["token_endpoint_auth_method"] != "client_secret_post":
            raise OAuthError("invalid_client", "Use the registered method", bad_status)
    elif secret is not None and on("secret-of-public-client-refused"):
        raise OAuthError("invalid_client", "A public client has no secret", bad_status)
    return client


def check_resources(values, allowed=None):
    """RFC 8707: every resource must be the MCP endpoint."""
    if not values:
        if on("resource-required"):
            raise OAuthError("invalid_target", "resource is missing")
        return [resource_url()]
    if on("resource-parameter-refused"):
        raise OAuthError("invalid_request", "Unknown parameter resource")
    if on("first-resource-only-checked"):
        values = values[:1]
    if on("several-resources-refused") and len(values) > 1:
        raise OAuthError("invalid_target", "Only one resource")
    out = []
    for value in values:
        head, sep, tail = value.partition("//")
        host, slash, path = tail.partition("/")
        plain = head.lower() + sep + host.lower() + slash + path
        good = plain == resource_url()
        good = good or (on("resource-trailing-slash-accepted") and plain == resource_url() + "/")
        good = good or (on("resource-origin-accepted") and plain.rstrip("/") == S.origin)
        good = good or (on("resource-compared-by-prefix") and plain.startswith(resource_url()) and "#" not in plain)
        good = good or (on("resource-fragment-accepted") and plain.partition("#")[0] == resource_url())
        good = good or (on("resource-compared-by-host") and plain.startswith(S.origin + "/") and "#" not in plain)
        good = good or (on("resource-query-ignored") and plain.partition("?")[0] == resource_url())
        if not good and not on("resource-not-checked"):
            raise OAuthError("invalid_request" if on("resource-wrong-error") else "invalid_target", "Unknown resource")
        out.append(resource_url())
    return out


def new_value(kind):
    if on("tokens-count-up"):
        return "%s-%06d" % (kind, S.next_number())
    return random_token(32)


def issue(grant, scope, refresh_scope, with_refresh):
    """Issue an access token and, when asked, a refresh token for a grant."""
    moment = now()
    life = 1800
    shared = {k: grant.get(k) for k in ("login", "name", "email", "client_id", "family", "upstream_token", "aud")}
    if on("access-tokens-have-all-scopes"):
        scope = "items:read items:write items:write:draft"
    token = new_value("access")
    if on("access-token-lives-one-hour"):
        life = 3600
    with LOCK:
        S.access[token] = dict(shared, scope=scope, iat=moment, exp=moment + life, revoked=False)
        body = {"access_token": token, "token_type": "Bearer", "expires_in": life, "scope": scope}
        if with_refresh:
            fresh = token if on("refresh-token-equals-access-token") else new_value("refresh")
            S.refresh[fresh] = dict(shared, scope=refresh_scope, iat=moment, exp=moment + 14 * 86400, revoked=False, used=False)
            body["refresh_token"] = fresh
    return body


def revoke_family(family, access=True, refresh=True):
    with LOCK:
        for store, wanted in ((S.access, access), (S.refresh, refresh)):
            for details in store.values():
                if wanted and details["family"] == family:
                    details["revoked"] = True
