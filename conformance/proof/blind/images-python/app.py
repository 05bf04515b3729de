"""Routing and authentication."""
import time
import traceback
import sys

import delivery
import images_api
import tickets
import variants_api
from multipart import BadForm
from store import LOCK
from switches import on
from wire import Fail, Reply, failed

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="images"'}
READS = ("list", "get", "vlist", "vget")
ACTIONS = {"upload": images_api.upload, "list": images_api.listing, "get": images_api.details,
           "delete": images_api.delete, "ticket": tickets.create, "vcreate": variants_api.create,
           "vlist": variants_api.listing, "vget": variants_api.details, "vpatch": variants_api.patch,
           "vdelete": variants_api.delete, "config": variants_api.config}


def find(method, rest):
    """The operation and its id, or the methods that the path would take."""
    if rest == ["images", "v1"]:
        table, arg = {"POST": "upload"}, None
    elif rest == ["images", "v2"]:
        table, arg = {"GET": "list"}, None
    elif rest == ["images", "v2", "direct_upload"]:
        table, arg = {"POST": "ticket"}, None
    elif rest == ["images", "v1", "variants"]:
        table, arg = {"POST": "vcreate", "GET": "vlist"}, None
    elif rest[:3] == ["images", "v1", "variants"] and len(rest) == 4:
        table, arg = {"GET": "vget", "PATCH": "vpatch", "DELETE": "vdelete"}, rest[3]
    elif rest == ["images", "v1", "config"]:
        table, arg = {"PATCH": "config"}, None
    elif rest[:2] == ["images", "v1"] and len(rest) > 2 and rest[2]:
        table, arg = {"GET": "get", "DELETE": "delete"}, "/".join(rest[2:])
    else:
        raise Fail(404, "No such path")
    if method not in table:
        if on("wrong-method-404"):
            raise Fail(404, "No such operation")
        raise Fail(405, "Method not allowed", headers={"Allow": ", ".join(table)})
    return table[method], arg


class App:
    def __init__(self, world):
        self.world = world

    def __call__(self, request):
        top = request.segments[0]
        try:
            if top == "client" and request.segments[1:3] == ["v4", "accounts"] and len(request.segments) > 4:
                return self.api(request, request.segments[3], request.segments[4:])
            if top == "batch":
                return self.batch(request, request.segments[1:])
            if top == "upload":
                return tickets.complete(self.world, request)
            if top == "delivery":
                return delivery.serve(self.world, request)
            raise Fail(404, "No such path")
        except BadForm as error:
            return self.fail(request, top, Fail(400, str(error)))
        except Fail as fail:
            return self.fail(request, top, fail)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return failed(Fail(500, "Internal error"))

    def fail(self, request, top, fail):
        bad_json = fail.headers.pop("X-Bad-Json", None)
        if bad_json and on("malformed-json-plain-text") and request.method == "PATCH":
            return Reply(400, b"Bad Request: invalid JSON\n", "text/plain")
        if top == "delivery":
            if on("delivery-errors-text"):
                return Reply(fail.status, fail.message.encode(), "text/plain")
            return failed(fail)
        if top == "client" and request.path.endswith("/direct_upload") and on("ticket-error-message-null"):
            fail.message = None
        variant_path = "variants" in request.segments
        if fail.status == 404 and variant_path and on("variant-404-code-string"):
            fail.code = str(fail.code)
        reply = failed(fail)
        if top == "batch" and on("batch-errors-object"):
            reply.body = reply.body.replace(b'"errors": [{', b'"errors": {', 1).replace(b"}]", b"}", 1)
        if fail.status == 404 and variant_path and request.method == "DELETE" and on("variant-delete-404-success-true"):
            reply.body = reply.body.replace(b'"success": false', b'"success": true')
        if fail.status == 403 and on("forbidden-without-errors"):
            reply.body = b'{"success": false}'
        return reply

    # Who calls

    def token(self, request):
        value = request.headers.get("authorization")
        if value is None:
            if on("connection-remembers-token") and "token" in request.session:
                return request.session["token"]
            raise Fail(401, "The Authorization header is missing", headers=CHALLENGE)
        scheme, _, token = value.partition(" ")
        if scheme.lower() != "bearer":
            if on("raw-token-accepted") and not token:
                return value
            if not (on("any-scheme-accepted") and token):
                raise Fail(401, "A bearer token is expected", headers=CHALLENGE)
        return token.strip()

    def who(self, token, kind):
        """(account, may edit) of a token, or None."""
        for account in self.world.accounts.values():
            for have, may, of in ((account.token, True, "api"), (account.limited, False, "api"),
                                  (account.batch, True, "batch")):
                same = token == have
                if on("token-suffix-ignored") and token.startswith(have):
                    same = True
                if on("token-case-ignored") and token.lower() == have.lower():
                    same = True
                if on("token-last-character-ignored") and len(token) == len(have) and token[:-1] == have[:-1]:
                    same = True
                if not same:
                    continue
                if of == kind or (kind == "batch" and on("batch-takes-api-token")):
                    return account, may
                if kind == "api" and on("api-reads-take-batch-token"):
                    return account, None
        return None

    def throttle(self, account):
        if on("burst-rate-limit"):
            with LOCK:
                t = time.monotonic()
                account.times = [x for x in account.times if x > t - 1]
                if len(account.times) >= 60:
                    raise Fail(429, "Rate limit exceeded", headers={"Retry-After": "1"})
                account.times.append(t)

    def api(self, request, account_id, rest):
        world = self.world
        if on("unknown-path-404-before-auth"):
            find(request.method, rest)
        target = world.accounts.get(account_id)
        open_read = target and request.method == "GET" and (
            (on("variant-read-without-token") and rest[:3] == ["images", "v1", "variants"] and len(rest) == 4
             and "authorization" not in request.headers)
            or (on("empty-bearer-may-list") and rest == ["images", "v2"]
                and request.headers.get("authorization", "").strip().lower() == "bearer"))
        if open_read:
            account, may = target, True
        else:
            token = self.token(request)
            found = self.who(token, "api")
            if not found:
                if on("bad-token-403"):
                    raise Fail(403, "Invalid token")
                raise Fail(401, "The token is invalid", headers=CHALLENGE)
            account, may = found
            if may is None:
                if request.method != "GET":
                    raise Fail(401, "The token is invalid", headers=CHALLENGE)
                may = True
            request.session["token"] = token
        self.throttle(account)
        if account.id != account_id:
            allowed = target and (
                (on("foreign-token-may-list") and request.method == "GET" and rest == ["images", "v2"])
                or (on("foreign-token-may-delete-variant") and request.method == "DELETE" and rest[2:3] == ["variants"])
                or (on("foreign-token-may-get-ticket") and rest[2:] == ["direct_upload"]))
            if on("path-account-ignored") and rest[:2] == ["images", "v1"] and request.method == "GET" and len(rest) > 2:
                target, allowed = account, True
            if not allowed:
                if on("foreign-account-404"):
                    raise Fail(404, "No such account")
                if on("foreign-account-401"):
                    raise Fail(401, "The token is not valid for this account", headers=CHALLENGE)
                raise Fail(403, "The token has no access to this account")
            account = target
        action, arg = find(request.method, rest)
        if not may:
            loose = {"ticket": "limited-may-get-ticket", "vdelete": "limited-may-delete-variant",
                     "config": "limited-may-switch-flexible", "vpatch": "limited-may-patch-variant"}.get(action)
            if not (loose and on(loose)) and not (
                    action == "upload" and on("limited-may-upload-url") and b'name="url"' in request.body):
                if on("limited-delete-takes-effect") and action == "delete":
                    account.images.pop(arg, None)
                if on("limited-token-401") and action == "upload":
                    raise Fail(401, "The token may not edit", headers=CHALLENGE)
                raise Fail(403, "The token lacks the permission to edit images")
        return ACTIONS[action](world, account, request, arg)

    def batch(self, request, rest):
        found = self.who(self.token(request), "batch")
        if not found:
            raise Fail(401, "The batch token is invalid", headers=CHALLENGE)
        account, may = found
        self.throttle(account)
        action, arg = find(request.method, rest)
        if action not in ("upload", "list", "delete"):
            raise Fail(404, "The batch host has no such operation")
        if not may:
            raise Fail(403, "The token lacks the permission to edit images")
        request.is_batch = True
        return ACTIONS[action](self.world, account, request, arg)
