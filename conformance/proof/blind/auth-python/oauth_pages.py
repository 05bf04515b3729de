"""The browser session and the consent page (both OAuth patterns)."""
import time

import oauth_authorize
import oauth_signin
import upstream
from core import LOCK, S, Resp, esc, now, on, page, random_token, redirect
from oauth_common import issue, new_value

SUBMIT = "Allow access"
COOKIE = "notes_browser"


def cookie_header(sid):
    value = "%s=%s; Path=/" % (COOKIE, sid)
    if not on("browser-cookie-readable-by-scripts"):
        value += "; HttpOnly"
    if not on("browser-cookie-without-same-site"):
        value += "; SameSite=Lax"
    return ("Set-Cookie", value)


def browser_of(req):
    """The browser session of the request: (sid, session) or (None, None)."""
    sid = req.cookies().get(COOKIE)
    if sid and on("browser-cookie-is-user-name") and sid in S.users:
        return sid, S.browsers.setdefault(sid, {"user": sid, "csrf": random_token(16), "approved": set()})
    browser = S.browsers.get(sid)
    if browser and on("sign-in-ends-after-ten-minutes") and now() > browser.get("since", now()) + 600:
        browser["user"] = None
    return (sid, browser) if browser else (None, None)


def new_browser(user=None):
    sid = random_token(24)
    if user and on("browser-cookie-is-user-name"):
        sid = user
    S.browsers[sid] = {"user": user, "csrf": random_token(16), "approved": set(), "since": now()}
    return sid, S.browsers[sid]


def start(req, txn):
    """Show the first page of an authorization request."""
    sid, browser = browser_of(req)
    if browser is None:
        sid, browser = new_browser()
    txn["sid"] = sid
    with LOCK:
        S.txns[txn["id"]] = txn
        for key in [k for k, t in S.txns.items() if t["created"] < now() - 3600]:
            S.txns.pop(key, None)
    if S.pattern == "oauth-provider" and (browser["user"] is None or on("sign-in-always-asked")):
        return oauth_signin.sign_in_page(txn, browser, sid)
    return consent_or_go(req, txn, browser, sid)


def hidden(txn, browser, extra=()):
    fields = [("request", txn["id"]), ("csrf", browser["csrf"])] + list(extra)
    return "".join('<input type="hidden" name="%s" value="%s">' % (k, esc(v)) for k, v in fields)


def approval_key(txn, browser):
    client = txn["client"]["client_id"]
    if on("consent-remembered-across-clients"):
        client = "any"
    user = browser["user"] if S.pattern == "oauth-provider" else txn["sid"]
    if on("consent-remembered-across-users"):
        user = "any"
    scope = "any" if on("consent-remembered-across-scopes") else txn["scope"]
    target = "any" if on("consent-remembered-across-redirects") else txn["redirect_uri"]
    return (client, user, scope, target)


def remembers():
    return any(on("consent-remembered" + s) for s in ("", "-across-clients", "-across-users", "-across-scopes", "-across-redirects"))


def consent_or_go(req, txn, browser, sid):
    forged = on("consent-cookie-unsigned") and req.cookies().get("notes_approved") == txn["client"]["client_id"]
    if on("consent-skipped") or forged or (
            (remembers() or on("denial-remembered-as-consent")) and approval_key(txn, browser) in S.approved):
        resp = approve(txn, browser, sid)
        resp.headers.append(cookie_header(sid))
        return resp
    return consent_page(txn, browser, sid)


def consent_page(txn, browser, sid):
    client = txn["client"]
    name = client.get("client_name") or client["client_id"]
    shown = name if on("client-name-not-escaped") else esc(name)
    if on("consent-name-mangled"):
        shown = esc(name.encode().decode("latin-1"))
    if on("consent-hides-client-name"):
        shown = "An application"
    if on("consent-name-of-latest-client"):
        shown = esc(list(S.clients.values())[-1].get("client_name"))
    inner = "<p>%s wants to use your notes.</p>" % shown
    if not on("consent-hides-scopes"):
        scopes = "items:read" if on("consent-shows-fewer-scopes") else txn["scope"]
        inner += "<ul>%s</ul>" % "".join("<li>%s</li>" % esc(s) for s in scopes.split(" "))
    if not on("consent-hides-redirect-uri"):
        target = client["redirect_uris"][0] if on("consent-shows-first-redirect-uri") else txn["redirect_uri"]
        inner += "<p>The answer goes to: <code>%s</code></p>" % esc(target)
    if browser["user"]:
        inner += "<p>Signed in as %s.</p>" % esc(browser["user"])
    extra = []
    if on("consent-form-redirect-trusted"):
        extra.append(("redirect_uri", txn["redirect_uri"]))
    if on("consent-form-scope-trusted"):
        extra.append(("scope", txn["scope"]))
    if on("consent-form-state-trusted"):
        extra.append(("state", txn["state"] or ""))
    inner += ('<form method="post" action="/consent">%s'
              '<button type="submit" name="decision" value="approve">%s</button>'
              '<button type="submit" name="decision" value="deny">Deny</button></form>') % (hidden(txn, browser, extra), SUBMIT)
    return page(200, "Allow access to your notes?", inner, [cookie_header(sid)])


def pending(form):
    txn = S.txns.get(form.get("request"))
    if txn is None or (txn["created"] < now() - 600 and not on("pending-request-never-ends")):
        return None
    return txn


def consent(req):
    """POST /consent: the decision of the user."""
    sid, browser = browser_of(req)
    if req.method == "GET":
        form = dict(req.query_pairs())
        if "decision" not in form and on("sign-in-redirects-to-consent"):
            txn = pending(form)
            if txn and browser and txn["sid"] == sid:
                return consent_page(txn, browser, sid)
        if not on("consent-by-get"):
            return Resp(405, "", None, [("Allow", "POST")])
    else:
        form = dict(req.form_pairs())
    txn = pending(form)
    if txn is None:
        return oauth_authorize.problem("The request is unknown or too old.")
    if on("consent-without-csrf-check"):
        browser = browser or S.browsers.get(txn["sid"])
    elif on("consent-csrf-of-other-browser-accepted"):
        if browser is None or not any(b["csrf"] == form.get("csrf") for b in S.browsers.values()):
            return oauth_authorize.problem("The form does not belong to this browser.", 403)
    elif browser is None or form.get("csrf") != browser["csrf"] or txn["sid"] != sid:
        return oauth_authorize.problem("The form does not belong to this browser.", 403)
    if browser is None:
        return oauth_authorize.problem("The form does not belong to this browser.", 403)
    if S.pattern == "oauth-provider" and browser["user"] is None:
        if on("consent-uses-last-signed-in-user") and S.misc.get("last-user"):
            browser = dict(browser, user=S.misc["last-user"])
        else:
            return oauth_authorize.problem("Sign in first.", 403)
    if on("parallel-consents") and not txn["done"]:
        time.sleep(0.15)
    elif txn["done"] and not on("consent-can-be-repeated"):
        return oauth_authorize.problem("This request is already decided.")
    with LOCK:
        if txn["done"] and not on("consent-can-be-repeated") and not on("parallel-consents"):
            return oauth_authorize.problem("This request is already decided.")
        txn["done"] = True
    if on("consent-approves-latest-request"):
        txn = [t for t in S.txns.values() if t["sid"] == txn["sid"]][-1]
    if on("denial-can-be-changed") and form.get("decision") != "approve":
        txn["done"] = False
    if on("consent-form-redirect-trusted") and form.get("redirect_uri"):
        txn["redirect_uri"] = form["redirect_uri"]
    if on("consent-form-scope-trusted") and form.get("scope"):
        txn["scope"] = form["scope"]
    if on("consent-form-state-trusted") and form.get("state"):
        txn["state"] = form["state"]
    if form.get("decision") != "approve" and not (on("missing-decision-approves") and "decision" not in form):
        if on("denial-remembered-as-consent"):
            S.approved.add(approval_key(txn, browser))
        if on("denial-gives-code"):
            return approve(txn, browser, sid)
        if on("denial-shown-not-redirected"):
            return page(200, "Denied", "<p>Access was denied.</p>")
        return oauth_authorize.answer(txn, [("error", "invalid_request" if on("denial-wrong-error") else "access_denied"),
                                            ("error_description", "The user denied the request")])
    if remembers():
        S.approved.add(approval_key(txn, browser))
    return approve(txn, browser, sid)


def approve(txn, browser, sid):
    if S.pattern == "oauth-proxy":
        return upstream.send_away(txn, sid)
    user = browser["user"]
    if on("code-for-last-signed-in-user"):
        S.misc["granting"] = S.misc.get("last-user", user)
        user = S.misc["granting"]
    return finish(txn, dict(S.users[user]["profile"]))


def finish(txn, profile):
    """Issue the authorization code and send the browser back to the client."""
    if on("slow-code-held-globally"):
        S.misc["profile-in-flight"] = profile
        time.sleep(0.15)
        profile = S.misc["profile-in-flight"]
    S.misc.setdefault("granted-clients", set()).add(txn["client"]["client_id"])
    S.misc["last-profile"] = profile
    life = 3600 if on("code-lives-one-hour") else 600 if on("code-lives-ten-minutes") else 60
    scope, challenge = txn["scope"], txn["challenge"]
    latest = S.misc.get(("latest", txn["client"]["client_id"]), txn)
    if on("scope-of-latest-request"):
        scope = latest.get("scope", scope)
    if on("challenge-of-latest-request"):
        challenge = latest.get("challenge", challenge)
    if on("scopes-add-up"):
        ever = S.misc.setdefault(("scopes", profile["login"], txn["client"]["client_id"]), [])
        ever += [s for s in scope.split(" ") if s not in ever]
        scope = " ".join(ever)
    if on("all-scopes-granted"):
        scope = "items:read items:write items:write:draft"
    code = "code-%06d" % S.next_number() if on("codes-count-up") else new_value("code")
    grant = {"client_id": txn["client"]["client_id"], "redirect_uri": txn["redirect_uri"], "redirect_given": txn["redirect_given"],
             "scope": scope, "scope_asked": txn["scope_asked"], "challenge": challenge, "method": txn["method"],
             "aud": txn["aud"], "iat": now(), "exp": now() + life, "used": False, "family": random_token(8),
             "login": profile["login"], "name": profile.get("name"), "email": profile.get("email"),
             "upstream_token": profile.get("upstream_token"), "revoked": False}
    if txn["kind"] == "token":
        body = issue(grant, scope, scope, False)
        return redirect(txn["redirect_uri"] + "#access_token=" + body["access_token"] + "&token_type=Bearer")
    with LOCK:
        S.codes[code] = grant
    return oauth_authorize.answer(txn, [("code", code)])
