"""The sign-in form and the check of the password (pattern oauth-provider)."""
import hashlib
import hmac

import oauth_authorize
import oauth_pages
from core import S, Resp, esc, log, on, page, redirect


def sign_in_page(txn, browser, sid, text="", status=200):
    inner = ('<p>%s</p><form method="post" action="/login">%s'
             '<label>User <input name="username" autocomplete="username"></label>'
             '<label>Password <input type="password" name="password" autocomplete="current-password"></label>'
             '<button type="submit">Sign in</button></form>') % (esc(text), oauth_pages.hidden(txn, browser))
    return page(status, "Sign in", inner, [oauth_pages.cookie_header(sid)])


def password_ok(user, given):
    good = S.users[user]["password"]
    if on("empty-password-accepted") and given == "":
        return True
    if on("password-first-eight-characters"):
        return given[:8] == good[:8]
    if on("password-case-insensitive"):
        return given.lower() == good.lower()
    if on("password-trimmed"):
        return given.strip() == good
    if on("password-non-ascii-ignored"):
        ascii_only = [w.encode("ascii", "ignore") for w in (given, good)]
        return ascii_only[0] == ascii_only[1]
    if on("password-of-any-user-accepted"):
        return any(u["password"] == given for u in S.users.values())
    return hmac.compare_digest(hashlib.sha256(given.encode()).digest(), hashlib.sha256(good.encode()).digest())


def login(req):
    """POST /login: checks the password and shows the consent page."""
    pairs = req.form_pairs()
    if on("sign-in-from-query-accepted"):
        pairs = req.query_pairs() + pairs
    elif req.method != "POST":
        return Resp(405, "", None, [("Allow", "POST")])
    form = dict(pairs)
    sid, browser = oauth_pages.browser_of(req)
    txn = oauth_pages.pending(form)
    if txn is None:
        return oauth_authorize.problem("The request is unknown or too old.")
    if browser is None or txn["sid"] != sid or form.get("csrf") != browser["csrf"]:
        if not on("sign-in-without-csrf-check"):
            return oauth_authorize.problem("The form does not belong to this browser.", 403)
        if browser is None:
            sid, browser = oauth_pages.new_browser()
    user = form.get("username", "")
    if on("user-name-case-insensitive"):
        user = user.lower()
    if on("user-name-trimmed"):
        user = user.strip()
    locked = S.misc.setdefault("wrong-passwords", {})
    blocked = on("sign-in-locked-after-ten") and locked.get(user, 0) >= 10
    if user not in S.users or blocked or not password_ok(user, form.get("password", "")):
        locked[user] = locked.get(user, 0) + 1
        log("failed sign-in")
        text = "The user or the password is wrong."
        if on("unknown-user-told") and user not in S.users:
            text = "There is no such user."
        if on("wrong-password-still-signs-in") and user in S.users:
            browser["user"] = user
        return sign_in_page(txn, browser, sid, text, 401 if on("failed-sign-in-401") else 200)
    if on("second-sign-in-keeps-first-user") and S.misc.get("first-user"):
        user = S.misc["first-user"]
    S.misc.setdefault("first-user", user)
    S.misc["last-user"] = user
    if on("browser-cookie-kept-at-sign-in"):
        browser["user"] = user
    else:
        S.browsers.pop(sid, None)
        sid, browser = oauth_pages.new_browser(user)
    txn["sid"] = sid
    if on("sign-in-redirects-to-consent"):
        return redirect("/consent?request=" + txn["id"], [oauth_pages.cookie_header(sid)], 303)
    return oauth_pages.consent_or_go(req, txn, browser, sid)
