"""The two metadata documents: authorization server (RFC 8414) and protected resource (RFC 9728)."""
from core import SCOPES, S, Resp, json_resp, on

AS_PATH = "/.well-known/oauth-authorization-server"
PR_PATH = "/.well-known/oauth-protected-resource"


def base(req):
    if on("metadata-follows-host-header"):
        return "http://" + (req.header("Host") or "")
    if on("metadata-keeps-first-host-header"):
        return S.misc.setdefault("first-host", "http://" + (req.header("Host") or ""))
    if on("metadata-follows-forwarded-host") and req.header("X-Forwarded-Host"):
        return "http://" + req.header("X-Forwarded-Host")
    return S.origin


def issuer():
    if on("issuer-has-trailing-slash"):
        return S.origin + "/"
    if on("issuer-other-host"):
        return S.origin.replace("127.0.0.1", "localhost")
    if on("issuer-is-mcp-url"):
        return S.origin + "/mcp"
    return S.origin


def as_metadata(req):
    root = base(req)
    methods = ["none", "client_secret_basic", "client_secret_post"]
    doc = {
        "issuer": issuer() if root == S.origin else root,
        "authorization_endpoint": root + "/authorize",
        "token_endpoint": root + "/token",
        "registration_endpoint": root + "/register",
        "revocation_endpoint": root + "/revoke",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": list(methods),
        "revocation_endpoint_auth_methods_supported": list(methods),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }
    if S.pattern == "oauth-provider":
        doc["introspection_endpoint"] = root + "/introspect"
        doc["introspection_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
    if on("introspection-announced-elsewhere"):
        doc["introspection_endpoint"] = root + "/oauth/introspect"
    if on("revocation-announced-elsewhere"):
        doc["revocation_endpoint"] = root + "/oauth/revoke"
    if on("plain-pkce-announced"):
        doc["code_challenge_methods_supported"] = ["S256", "plain"]
    if on("implicit-announced"):
        doc["response_types_supported"] = ["code", "token"]
    if on("client-credentials-announced"):
        doc["grant_types_supported"].append("client_credentials")
    if on("refresh-not-announced"):
        doc["grant_types_supported"] = ["authorization_code"]
    if on("private-key-jwt-announced"):
        doc["token_endpoint_auth_methods_supported"].append("private_key_jwt")
        doc["token_endpoint_auth_signing_alg_values_supported"] = ["RS256"]
    if on("unknown-scope-announced"):
        doc["scopes_supported"].append("items:admin")
    if on("fragment-mode-announced"):
        doc["response_modes_supported"].append("fragment")
    if on("dead-jwks-announced"):
        doc["jwks_uri"] = root + "/.well-known/jwks.json"
    if on("iss-flag-missing") or on("no-iss-parameter"):
        del doc["authorization_response_iss_parameter_supported"]
    if on("iss-flag-is-text"):
        doc["authorization_response_iss_parameter_supported"] = "true"
    for switch, field in (("metadata-without-response-types", "response_types_supported"),
                          ("metadata-without-pkce-methods", "code_challenge_methods_supported"),
                          ("metadata-without-token-endpoint", "token_endpoint"),
                          ("registration-not-announced", "registration_endpoint"),
                          ("revocation-not-announced", "revocation_endpoint"),
                          ("scopes-not-announced", "scopes_supported"),
                          ("response-modes-not-announced", "response_modes_supported")):
        if on(switch):
            doc.pop(field)
    if on("metadata-empty-array"):
        doc["ui_locales_supported"] = []
    if on("metadata-has-documentation-link"):
        doc["service_documentation"] = root + "/docs"
    return doc


def pr_metadata(req):
    root = base(req)
    doc = {
        "resource": root + "/mcp",
        "authorization_servers": [issuer() if root == S.origin else root],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "Notes",
    }
    if on("resource-metadata-names-origin"):
        doc["resource"] = root
    if on("resource-metadata-trailing-slash"):
        doc["resource"] += "/"
    if on("resource-metadata-without-servers"):
        del doc["authorization_servers"]
    if on("resource-metadata-names-dead-server"):
        doc["authorization_servers"] = [root + "/auth"]
    if on("resource-metadata-server-slash"):
        doc["authorization_servers"] = [root + "/"]
    if on("query-bearer-announced"):
        doc["bearer_methods_supported"].append("query")
    if on("signed-resource-metadata-broken"):
        doc["signed_metadata"] = "e30.e30."
    if on("resource-metadata-empty-array"):
        doc["resource_signing_alg_values_supported"] = []
    if on("resource-metadata-short"):
        doc = {k: doc[k] for k in ("resource", "authorization_servers")}
    return doc


def handle(req):
    """Answer a metadata path, or None when the path is another one."""
    if req.path in (AS_PATH, AS_PATH + "/mcp"):
        if req.path.endswith("/mcp") and on("server-metadata-without-mcp-path"):
            return None
        doc = as_metadata(req)
    elif req.path in (PR_PATH, PR_PATH + "/mcp"):
        if req.path == PR_PATH and on("resource-metadata-only-with-mcp-path"):
            return None
        if req.path != PR_PATH and on("resource-metadata-only-at-root"):
            return None
        doc = pr_metadata(req)
    elif req.path == "/.well-known/openid-configuration" and on("openid-configuration-served"):
        doc = as_metadata(req)
    else:
        return None
    if req.method not in ("GET", "HEAD"):
        return Resp(405, "", None, [("Allow", "GET, HEAD")])
    if on("metadata-needs-token") and not req.header("Authorization"):
        return Resp(401, "Unauthorized", "text/plain", [("WWW-Authenticate", "Bearer")])
    resp = json_resp(200, doc, ctype="text/plain" if on("metadata-as-plain-text") else "application/json")
    if on("metadata-cacheable"):
        resp.add("Cache-Control", "max-age=3600")
    if on("metadata-open-to-browsers"):
        resp.add("Access-Control-Allow-Origin", "*")
    return resp
