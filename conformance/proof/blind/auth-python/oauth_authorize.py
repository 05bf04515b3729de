"""The authorization endpoint: validation of the request and the answers that go back to the client."""
import re
from urllib.parse import parse_qsl, unquote, urlsplit

from core import (DEFAULT_SCOPE, SCOPES, S, Resp, add_fragment, add_query, esc, now, on, page, random_token, redirect,
                  scopes_of)
from oauth_common import OAuthError, check_resources
from oauth_meta import issuer


def strip_port(uri):
    return re.sub(r"^(\w+://(?:\[[^\]]*\]|[^/:?#]*))(:\d+)?", r"\1", uri, count=1)


def same_redirect(registered, given):
    """Exact comparison; only the port of a loopback address may differ."""
    if registered == given:
        return True
    r, g = urlsplit(registered), urlsplit(given)
    loop = ("127.0.0.1", "::1") + (("localhost",) if on("localhost-any-port") else ())
    if r.scheme == "http" and r.hostname in loop and not on("loopback-port-must-match"):
        if "@" not in given and strip_port(registered) == strip_port(given):
            return True
    if on("redirect-compared-by-prefix") and given.startswith(registered):
        return True
    if on("redirect-compared-by-host") and (r.scheme, r.netloc) == (g.scheme, g.netloc):
        return True
    if on("redirect-case-insensitive") and registered.lower() == given.lower():
        return True
    if on("redirect-query-ignored") and registered == given.partition("?")[0]:
        return True
    if on("redirect-trailing-slash-ignored") and registered.rstrip("/") == given.rstrip("/"):
        return True
    if on("redirect-fragment-ignored") and registered == given.partition("#")[0]:
        return True
    if on("redirect-percent-decoded") and unquote(registered) == unquote(given):
        return True
    if on("redirect-localhost-is-loopback-address") and registered.replace("//localhost", "//127.0.0.1") == \
            given.replace("//localhost", "//127.0.0.1"):
        return True
    if on("redirect-any-port") and strip_port(registered) == strip_port(given) and "@" not in given:
        return True
    if on("redirect-subdomain-accepted") and r.hostname and (g.hostname or "").endswith("." + r.hostname) and r.path == g.path:
        return True
    if on("redirect-userinfo-ignored") and "@" in given and re.sub(r"//[^/@]*@", "//", given) == registered:
        return True
    if on("redirect-scheme-ignored") and registered.partition(":")[2] == given.partition(":")[2]:
        return True
    if on("redirect-default-port-ignored") and r.scheme == "https" and given.replace(":443/", "/", 1) == registered:
        return True
    if on("wildcard-redirect-uri-registered") and "*" in registered:
        return re.fullmatch(re.escape(registered).replace(r"\*", ".*"), given) is not None
    return False


def find_redirect(client, given):
    uris = client["redirect_uris"]
    if given is None:
        if len(uris) == 1 and not on("redirect-uri-always-needed"):
            return uris[0]
        if len(uris) > 1 and on("redirect-uri-guessed"):
            return uris[0]
        return None
    if on("redirect-unchecked-after-first-grant") and client["client_id"] in S.misc.get("granted-clients", set()):
        return given
    if on("redirect-of-any-client-accepted") and any(given in c["redirect_uris"] for c in S.clients.values()):
        return given
    return given if any(same_redirect(r, given) for r in uris) else None


def answer(txn, pairs):
    """Redirect the browser back to the client with the given parameters."""
    pairs = list(pairs)
    failed = any(k == "error" for k, _ in pairs)
    state = txn.get("state")
    if on("state-of-latest-request"):
        state = S.misc.get("latest-state", state)
    if state is not None and not on("state-not-returned") and not (failed and on("state-missing-in-errors")):
        if on("state-cut-at-64"):
            state = state[:64]
        if on("state-html-escaped"):
            state = esc(state)
        if on("state-plus-becomes-space"):
            state = state.replace("+", " ")
        if on("state-non-ascii-lost"):
            state = state.encode("ascii", "replace").decode()
        if on("state-trimmed"):
            state = state.strip()
        if on("state-lower-cased"):
            state = state.lower()
        pairs.append(("state", state))
    skip_iss = on("iss-not-sent-though-announced") or on("no-iss-parameter") or (failed and on("iss-missing-in-errors"))
    if not skip_iss:
        pairs.append(("iss", S.origin + "/" if on("iss-differs-from-metadata") else issuer()))
    target = txn["redirect_uri"]
    latest = S.misc.get(("latest", txn.get("client", {}).get("client_id")))
    if on("redirect-of-latest-request") and latest and not failed:
        target = latest["redirect_uri"]
    if on("loopback-answer-to-registered-port") and target.startswith("http://127.0.0.1") and not failed:
        target = next((u for u in txn["client"]["redirect_uris"] if strip_port(u) == strip_port(target)), target)
    if on("redirect-query-lost"):
        target = target.partition("?")[0]
    if (failed and on("errors-in-fragment")) or (not failed and on("code-in-fragment")):
        return redirect(add_fragment(target, pairs))
    if on("redirect-second-question-mark") and "?" in target:
        return redirect(add_query(target.partition("?")[0], pairs).replace("?", "?" + target.partition("?")[2] + "?", 1))
    return redirect(add_query(target, pairs))


def problem(text, status=400):
    return page(status, "This request cannot be served", "<p>%s</p>" % esc(text))


def validate_client(params):
    """The checks before anything may be redirected. Returns (client, redirect URI) or a page."""
    client = S.clients.get(params.get("client_id"))
    given = params.get("redirect_uri")
    if client is None:
        if on("unknown-client-error-redirected") and given:
            return answer({"redirect_uri": given, "state": params.get("state")}, [("error", "unauthorized_client")])
        return problem("The client is unknown.")
    uri = find_redirect(client, given)
    if uri is None:
        if on("bad-redirect-error-redirected") and given:
            return answer({"redirect_uri": given, "state": params.get("state")}, [("error", "invalid_request")])
        if on("redirect-replaced-by-registered"):
            uri = client["redirect_uris"][0]
        else:
            return problem("The redirect URI is not registered for this client.")
    return client, uri


def check_scope(client, text):
    if text is None:
        return " ".join(SCOPES) if on("all-scopes-by-default") else DEFAULT_SCOPE
    asked = scopes_of(text)
    if on("scope-case-insensitive"):
        asked = [s.lower() for s in asked]
    if on("scope-comma-accepted"):
        asked = [s for part in asked for s in part.split(",")]
    if on("scope-order-matters") and asked != [s for s in SCOPES if s in asked]:
        raise OAuthError("invalid_scope", "Wrong order")
    unknown = [s for s in asked if s not in SCOPES]
    if on("unknown-scope-granted"):
        unknown = []
    if on("unknown-scope-dropped") and len(unknown) < len(asked):
        asked, unknown = [s for s in asked if s not in unknown], []
    if unknown or not asked:
        raise OAuthError("invalid_request" if on("bad-scope-wrong-error") else "invalid_scope", "Unknown scope")
    allowed = client.get("scope")
    if allowed is not None and not on("registered-scope-not-enforced"):
        if [s for s in asked if s not in allowed.split(" ")]:
            raise OAuthError("invalid_scope", "Not registered for this scope")
    return " ".join(dict.fromkeys(asked))


def check_pkce(params):
    challenge, method = params.get("code_challenge"), params.get("code_challenge_method")
    if challenge is None:
        if on("pkce-optional"):
            return None, None
        raise OAuthError("invalid_request", "code_challenge is needed")
    if method is None:
        if on("pkce-method-defaults-to-s256"):
            method = "S256"
        elif on("pkce-method-defaults-to-plain"):
            method = "plain"
    if on("pkce-method-case-insensitive") and method:
        method = method.upper() if method.lower() == "s256" else method
    if on("pkce-unknown-method-accepted") and method not in ("S256", "plain", None):
        method = "S256"
    if method != "S256" and not (method == "plain" and (on("pkce-plain-accepted") or on("pkce-method-defaults-to-plain")
                                                        and "code_challenge_method" not in params)):
        raise OAuthError("invalid_request", "code_challenge_method must be S256")
    if on("pkce-padding-accepted"):
        challenge = challenge.rstrip("=")
    if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", challenge) and not on("pkce-any-challenge-accepted"):
        raise OAuthError("invalid_request", "code_challenge is malformed")
    return challenge, method


def validate(params, pairs):
    """Validate a whole authorization request; returns a transaction, or an answer."""
    checked = validate_client(params)
    if isinstance(checked, Resp):
        return checked
    client, uri = checked
    txn = {"id": random_token(16), "client": client, "redirect_uri": uri, "redirect_given": params.get("redirect_uri"),
           "state": params.get("state"), "created": now(), "csrf": random_token(16), "done": False}
    S.misc["latest-state"] = txn["state"]
    S.misc["latest", client["client_id"]] = txn
    known = {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge",
             "code_challenge_method", "resource", "prompt", "nonce", "response_mode"}
    try:
        if any(k in dict(pairs) for k in ("request", "request_uri")) and on("request-object-refused"):
            raise OAuthError("request_not_supported")
        kind = params.get("response_type")
        if kind is None and not on("response-type-optional"):
            raise OAuthError("invalid_request", "response_type is missing")
        if kind not in (None, "code") and not (kind == "token" and on("implicit-grant-served")):
            raise OAuthError("invalid_request" if on("response-type-wrong-error") else "unsupported_response_type")
        txn["kind"] = kind or "code"
        if on("unknown-parameter-refused-at-authorize") and set(params) - known:
            raise OAuthError("invalid_request", "Unknown parameter")
        if on("state-required") and params.get("state") is None:
            raise OAuthError("invalid_request", "state is needed")
        if on("long-state-refused") and len(params.get("state") or "") > 200:
            raise OAuthError("invalid_request", "state is too long")
        if on("short-state-refused") and 0 < len(params.get("state") or "") < 8:
            raise OAuthError("invalid_request", "state is too short")
        txn["scope"] = check_scope(client, params.get("scope"))
        txn["scope_asked"] = params.get("scope")
        txn["challenge"], txn["method"] = check_pkce(params) if txn["kind"] == "code" else (None, None)
        txn["aud"] = check_resources(params.get("resource") or [])
        seen = [k for k, v in pairs if v != "" and k != "resource"]
        if len(seen) != len(set(seen)) and not on("duplicate-parameters-at-authorize"):
            raise OAuthError("invalid_request", "A parameter appears twice")
    except OAuthError as error:
        if on("errors-shown-not-redirected"):
            return problem(error.text)
        out = [("error", error.code)]
        if not on("authorize-errors-without-description"):
            out.append(("error_description", error.text))
        return answer(txn, out)
    return txn


def params_of(pairs):
    """Read the parameters; the first of doubled ones is kept so that errors can be sent back."""
    critical = [k for k, v in pairs if k in ("client_id", "redirect_uri") and v != ""]
    if len(critical) != len(set(critical)) and not on("duplicate-parameters-at-authorize"):
        raise OAuthError("invalid_request", "A parameter appears twice")
    out = {}
    for name, value in pairs:
        if value == "" and not (name == "state" and on("empty-state-returned")) and not (
                name == "scope" and on("empty-scope-is-invalid")):
            continue
        if name == "resource":
            out.setdefault(name, []).append(value)
        else:
            out.setdefault(name, value)
    return out


def handle(req):
    import oauth_pages
    if req.method == "POST" and on("authorize-by-post"):
        pairs = req.form_pairs()
    elif req.method in ("GET", "HEAD"):
        pairs = parse_qsl(req.query, keep_blank_values=True)
    else:
        return Resp(405, "", None, [("Allow", "GET")])
    try:
        params = params_of(pairs)
    except OAuthError as error:
        return problem(error.text)
    txn = validate(params, pairs)
    if isinstance(txn, Resp):
        return txn
    return oauth_pages.start(req, txn)

