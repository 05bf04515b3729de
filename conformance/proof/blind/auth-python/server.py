#!/usr/bin/python3
"""Starts the tool server: see `--list`, `--pattern` and `--on`."""
import argparse
import json
import os
import signal
import sys

import switches
from core import ACTIVE, S, Resp
from httpd import Handler, Server


def route(req):
    import mcp
    import oauth_authorize
    import oauth_meta
    import oauth_other
    import oauth_pages
    import oauth_register
    import oauth_signin
    import oauth_token
    import upstream
    from oauth_common import OAuthError
    if req.path == "/mcp":
        return mcp.endpoint(req)
    if S.pattern == "jwt":
        return Resp(404, "Not found", "text/plain")
    meta = oauth_meta.handle(req)
    if meta:
        return meta
    table = {"/authorize": oauth_authorize.handle, "/token": oauth_token.handle, "/register": oauth_register.handle,
             "/revoke": oauth_other.revoke, "/consent": oauth_pages.consent}
    if S.pattern == "oauth-provider":
        table.update({"/login": oauth_signin.login, "/introspect": oauth_other.introspect})
    else:
        table["/callback"] = upstream.callback
    handler = table.get(req.path)
    if handler is None:
        return Resp(404, "Not found", "text/plain")
    try:
        return handler(req)
    except OAuthError as error:
        return error.resp()


def users():
    """The user store of the pattern oauth-provider; the second user has non-ASCII characters."""
    return {
        "alice": {"password": "Correct-Horse-1", "profile": {"login": "alice", "name": "Alice Example", "email": "alice@example.com"}},
        "bj\u00f8rn": {"password": "na\u00efve-P\u00e4ssword-2",
                       "profile": {"login": "bj\u00f8rn", "name": "Bj\u00f8rn \u00d8 Example", "email": "bjorn@example.org"}},
    }


def ready_line():
    out = {"mcp": S.origin + "/mcp", "origin": S.origin,
           "whoami": {"tool": "notes_get_current_user", "arguments": {}, "login": "login", "email": "email"}}
    if S.pattern == "jwt":
        out.update(secret=S.jwt_secret, issuer=S.jwt_issuer, audience=S.jwt_audience)
    if S.pattern == "oauth-provider":
        first, second = ({"username": n, "password": u["password"]} for n, u in S.users.items())
        out.update(form={"fields": first, "submit": "Allow access"}, second=second,
                   introspection={"client_id": S.rs_id, "client_secret": S.rs_secret})
    if S.pattern == "oauth-proxy":
        out.update(form={"fields": {}, "submit": "Allow access"}, second={})
    if os.environ.get("CLOCK") == "1":
        out["clock"] = S.origin + "/__clock"
    return json.dumps(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--pattern", choices=["jwt", "oauth-proxy", "oauth-provider"])
    parser.add_argument("--on", action="append", default=[], metavar="NAME")
    args = parser.parse_args()
    if args.list:
        print(json.dumps(switches.ALL, indent=1))
        return 0
    if not args.pattern:
        parser.error("--pattern is needed")
    for name in args.on:
        if args.pattern not in switches.BY_NAME.get(name, {"patterns": []})["patterns"]:
            print("switch %r is unknown or does not apply to %s" % (name, args.pattern), file=sys.stderr)
            return 2
        ACTIVE.add(name)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    S.pattern = args.pattern
    if args.pattern == "oauth-provider":
        S.users.update(users())
    Handler.router = staticmethod(route)
    server = Server(("127.0.0.1", 0), Handler)
    S.origin = "http://127.0.0.1:%d" % server.server_address[1]
    print(ready_line(), flush=True)
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
