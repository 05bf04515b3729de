"""Dynamic client registration (RFC 7591)."""
import json
from urllib.parse import urlsplit

from core import LOCK, SCOPES, S, Resp, json_resp, now, on, random_token, scopes_of
from oauth_common import OAuthError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
METHODS = ("none", "client_secret_basic", "client_secret_post")
GRANTS = ("authorization_code", "refresh_token")


def redirect_ok(uri):
    if not isinstance(uri, str) or not uri.isascii() or any(c <= " " or c in '"<>\\^`{|}' for c in uri):
        return False
    try:
        parts = urlsplit(uri)
        parts.port
    except ValueError:
        return False
    if ("#" in uri) and not on("fragment-redirect-uri-registered"):
        return False
    if not parts.scheme:
        return on("relative-redirect-uri-registered")
    scheme = parts.scheme.lower()
    if "*" in (parts.hostname or "") + parts.path and not on("wildcard-redirect-uri-registered"):
        return False
    if scheme == "https":
        return bool(parts.hostname)
    if scheme == "http":
        if on("http-prefix-loopback-registered") and parts.netloc.startswith(("localhost", "127.0.0.1")):
            return True
        return parts.hostname in LOOPBACK or on("plain-http-redirect-uri-registered")
    if scheme in ("javascript", "data", "vbscript", "file", "about", "blob"):
        return on("script-redirect-uri-registered")
    if on("private-scheme-refused"):
        return False
    return "." in scheme or on("private-scheme-without-dot-accepted")


def bad(code, text):
    if on("registration-wrong-error-code"):
        code = "invalid_request"
    raise OAuthError(code, text)


def read(data):
    """Check the metadata that a client sends; return what is registered."""
    uris = data.get("redirect_uris")
    if isinstance(uris, str) and on("redirect-uris-as-text-accepted"):
        uris = [uris]
    if uris is None and on("redirect-uris-optional-at-registration"):
        uris = []
    elif not isinstance(uris, list) or not uris:
        bad("invalid_redirect_uri", "redirect_uris is required")
    if not all(redirect_ok(u) for u in uris):
        if not (on("only-first-redirect-uri-checked") and redirect_ok(uris[0])):
            bad("invalid_redirect_uri", "A redirect URI is not allowed")
    if on("several-redirect-uris-refused") and len(uris) > 1:
        bad("invalid_redirect_uri", "Only one redirect URI")
    method = data.get("token_endpoint_auth_method")
    if method is None:
        method = "none" if on("default-client-is-public") else "client_secret_basic"
    if method not in METHODS and not (on("unsupported-auth-method-registered") and isinstance(method, str)):
        bad("invalid_client_metadata", "token_endpoint_auth_method is not supported")
    asked = data.get("grant_types", ["authorization_code"])
    kinds = data.get("response_types", ["code"])
    for value in (asked, kinds):
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            bad("invalid_client_metadata", "A list of strings is needed")
    if on("unsupported-grant-refused-at-registration") and any(g not in GRANTS for g in asked):
        bad("invalid_client_metadata", "A grant type is not supported")
    grants = list(asked) if on("unsupported-grant-registered") else [g for g in asked if g in GRANTS]
    if "authorization_code" not in grants or "code" not in kinds:
        if not on("inconsistent-registration-accepted"):
            bad("invalid_client_metadata", "The grant types and response types do not fit")
    if on("refresh-grant-always-added") and "refresh_token" not in grants:
        grants.append("refresh_token")
    out = {"redirect_uris": list(uris), "token_endpoint_auth_method": method, "grant_types": grants, "response_types": ["code"]}
    for name in ("client_name", "client_uri", "logo_uri", "software_id", "software_version", "tos_uri", "policy_uri"):
        if name in data:
            if not isinstance(data[name], str):
                bad("invalid_client_metadata", name + " must be text")
            out[name] = data[name]
    if "scope" in data:
        if not isinstance(data["scope"], str):
            bad("invalid_client_metadata", "scope must be text")
        known = [s for s in scopes_of(data["scope"]) if s in SCOPES]
        if len(known) < len(scopes_of(data["scope"])) and not on("unknown-scope-dropped-at-registration"):
            bad("invalid_client_metadata", "Unknown scope")
        out["scope"] = " ".join(known)
    if on("unknown-metadata-refused") and set(data) - set(out) - {"contacts", "jwks_uri", "jwks"}:
        bad("invalid_client_metadata", "Unknown metadata")
    if on("non-ascii-client-name-refused") and not out.get("client_name", "").isascii():
        bad("invalid_client_metadata", "client_name must be ASCII")
    return out


def new_id(data, meta):
    if on("client-id-follows-name"):
        return "client-" + "".join(c for c in meta.get("client_name", "app").lower() if c.isalnum())
    if on("client-id-of-request-used") and isinstance(data.get("client_id"), str):
        return data["client_id"]
    if on("client-id-by-redirect-uri"):
        return "client-" + str(abs(hash(meta["redirect_uris"][0])))
    if on("client-ids-by-the-second"):
        return "client-%d" % (int(now()) // 5)
    return random_token(16)


def handle(req):
    if req.method == "GET" and on("registered-clients-listed"):
        return json_resp(200, list(S.clients.values()))
    if req.method != "POST":
        return Resp(405, "", None, [("Allow", "POST")])
    if on("registration-needs-token") and not req.header("Authorization"):
        return Resp(401, "", None, [("WWW-Authenticate", "Bearer")])
    if req.content_type() != "application/json" and not on("registration-any-content-type"):
        raise OAuthError("invalid_client_metadata", "JSON is needed")
    try:
        data = json.loads(req.body.decode("utf-8"))
    except (ValueError, RecursionError):
        if on("bad-registration-500"):
            raise RuntimeError("bad JSON")
        raise OAuthError("invalid_client_metadata", "The body is not JSON")
    if not isinstance(data, dict):
        raise OAuthError("invalid_client_metadata", "An object is needed")
    try:
        meta = read(data)
    except OAuthError:
        if on("refused-registration-has-effect") and isinstance(data.get("client_id"), str) and data["client_id"] in S.clients:
            S.clients[data["client_id"]]["client_name"] = str(data.get("client_name"))
        raise
    client = dict(meta, client_id=new_id(data, meta), client_id_issued_at=int(now()))
    if meta["token_endpoint_auth_method"] != "none" or on("public-client-gets-secret"):
        sent = data.get("client_secret")
        client["client_secret"] = sent if on("client-secret-of-request-used") and isinstance(sent, str) else random_token(24)
        client["client_secret_expires_at"] = 0
        if on("secret-ends-after-90-days"):
            client["client_secret_expires_at"] = int(now()) + 90 * 86400
        if on("secret-works-after-announced-end"):
            client["client_secret_expires_at"] = int(now()) + 600
    if on("client-ids-unique-per-uri"):
        for old in list(S.clients.values()):
            if old["redirect_uris"] == client["redirect_uris"]:
                S.clients.pop(old["client_id"])
    shown = dict(client)
    if on("only-first-redirect-uri-kept"):
        client["redirect_uris"] = client["redirect_uris"][:1]
    if on("public-client-gets-secret") and meta["token_endpoint_auth_method"] == "none":
        client.pop("client_secret")
    with LOCK:
        S.clients[client["client_id"]] = client
    if on("secret-end-not-told"):
        shown.pop("client_secret_expires_at", None)
    if on("registered-values-not-returned"):
        shown = {k: v for k, v in shown.items() if k.startswith("client_") and k != "client_name"}
    if on("issued-at-in-milliseconds"):
        shown["client_id_issued_at"] *= 1000
    if on("issued-at-not-told"):
        shown.pop("client_id_issued_at")
    if on("dead-management-address-told"):
        shown["registration_client_uri"] = S.origin + "/register/" + client["client_id"]
        shown["registration_access_token"] = random_token(16)
    resp = json_resp(200 if on("registration-status-200") else 201, shown)
    if not on("registration-cacheable"):
        resp.add("Cache-Control", "no-store")
    return resp
