"""JSON-RPC and MCP 2025-06-18, whatever the transport."""
import base64
import json
import re

import resources
import session as sessions
import store
import tooldefs
import tools
from model import Invalid
from session import Context, flight_key, meta
from switches import on

LATEST = "2025-06-18"


def versions():
    return [LATEST] if on("latest-version-only") else [LATEST, "2025-03-26", "2024-11-05"]


class RpcError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def error_message(request_id, code, message):
    error = {"code": code, "message": message}
    if on("error-data-object"):
        error["data"] = {"server": tooldefs.SERVER_NAME}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def parse_error():
    return error_message(None, -32600 if on("parse-error-32600") else -32700, "Parse error")


def kind(message):
    """request, notification, response or None (invalid)."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return None
    key = message.get("id")
    if "method" in message:
        if not isinstance(message["method"], str):
            return None
        if "id" not in message:
            return "notification"
        if key == 0 and not isinstance(key, bool) and on("id-zero-lost") and message["method"] != "initialize":
            return "notification"
        if key == "" and on("empty-id-lost"):
            return "notification"
        # MCP: ids are strings or integers, never null.
        return "request" if isinstance(key, (str, int)) and not isinstance(key, bool) else None
    if "id" in message and ("result" in message) != ("error" in message):
        return "response"
    return None


def invalid_request(message):
    key = message.get("id") if isinstance(message, dict) else None
    if isinstance(key, bool) or not isinstance(key, (str, int)):
        key = None
    return error_message(key, -32600, "Invalid Request")


def handle(session, request, send, plain_line=None):
    """Answers a request. Returns (response or None when cancelled, function to call after sending)."""
    ctx = Context.__new__(Context)
    key = request["id"]
    params = request.get("params", {})
    try:
        if not isinstance(params, dict):
            raise RpcError(-32602, "params must be an object")
        ctx.__init__(session, request, send, plain_line)
        flight = flight_key(key)
        if request["method"] != "initialize":  # initialize may not be cancelled
            session.inflight[flight] = ctx
        try:
            result = dispatch(session, request["method"], params, ctx)
        finally:
            if session.inflight.get(flight) is ctx:
                del session.inflight[flight]
        if ctx.cancelled.is_set():
            return None, None
        if on("extra-result-members"):
            result = dict(result, **meta())
        if on("numeric-string-id-changed") and isinstance(key, str) and key.isdigit():
            key = int(key)
        return {"jsonrpc": "2.0", "id": key, "result": result}, ctx.after
    except tools.Cancelled:
        return None, None
    except RpcError as error:
        if on("error-id-null") and str(error).startswith("Unknown tool"):
            key = None
        return error_message(key, error.code, str(error)), None


def dispatch(session, method, params, ctx):
    if method == "initialize":
        return initialize(session, params)
    if method == "ping":
        return {}
    if session.state == "new":
        raise RpcError(-32600, "Not initialized")
    if session.state != "ready" and on("refuse-before-initialized"):
        raise RpcError(-32600, "Waiting for notifications/initialized")
    handler = METHODS.get(method)
    if handler is None or (session.ephemeral and method in SESSION_ONLY):
        wrong = method.startswith("tools/") and on("unknown-tools-method-32602")
        raise RpcError(-32602 if wrong else -32601, "Method not found")
    return handler(session, params, ctx)


def initialize(session, params):
    asked = params.get("protocolVersion")
    if not isinstance(asked, str) or not isinstance(params.get("capabilities", {}), dict):
        raise RpcError(-32602, "protocolVersion and capabilities are required")
    if session.state != "new":
        raise RpcError(-32600, "Already initialized")
    session.capabilities = params.get("capabilities", {})
    session.state = "initializing"
    version = asked if asked in versions() else LATEST
    if on("unknown-version-echoed") and re.fullmatch(r"\d{4}-\d\d-\d\d", asked):
        version = asked
    capabilities = {"tools": {"listChanged": False}, "resources": {"subscribe": True, "listChanged": False},
                    "logging": {}}
    if on("announce-list-changed"):
        capabilities["resources"]["listChanged"] = True
    if session.ephemeral:
        capabilities = {"tools": {}, "resources": {}}
    result = {"protocolVersion": version, "capabilities": capabilities,
              "serverInfo": {"name": tooldefs.server_name(), "title": "Museum collection", "version": "1.0.0"}}
    if on("extra-result-members"):
        result["instructions"] = "Search first, then get."
    return result


def encode_cursor(place):
    return base64.urlsafe_b64encode(f"p:{place}".encode()).decode()


def paged(items, size, params, name, lose=False):
    start, cursor = 0, params.get("cursor")
    if cursor is not None:
        try:
            text = base64.urlsafe_b64decode(cursor).decode()
            start = int(re.fullmatch(r"p:(\d{1,6})", text).group(1))
        except (ValueError, TypeError, AttributeError):
            raise RpcError(-32602, "Invalid cursor")
    result = {name: items[start:start + size]}
    following = start + size
    if following < len(items):
        result["nextCursor"] = encode_cursor(following + (1 if lose else 0))
    return result


def tools_list(session, params, ctx):
    return paged(tooldefs.advertised(), 3 if on("tools-list-in-pages") else 1000, params, "tools")


def tools_call(session, params, ctx):
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        raise RpcError(-32602, "name is required")
    tool = tooldefs.by_name(name)
    if tool is None:
        raise RpcError(-32601 if on("unknown-tool-32601") else -32602, f"Unknown tool: {name}")
    if not isinstance(arguments, dict):
        raise RpcError(-32602, "arguments must be an object")
    try:
        return tools.call(tool, arguments, ctx)
    except Invalid as error:
        if on("validation-as-tool-error"):
            return tools.failed(f"Error: Invalid input: {error}")
        raise RpcError(-32602, f"Invalid arguments: {error}")


def resources_list(session, params, ctx):
    size = 7 if on("resources-list-in-small-pages") else 50
    return paged(resources.listing(session.id), size, params, "resources", on("resources-page-loses-one"))


def templates_list(session, params, ctx):
    return paged(resources.TEMPLATES, 1000, params, "resourceTemplates")


def uri_of(params):
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(-32602, "uri is required")
    return uri


def resources_read(session, params, ctx):
    found = resources.contents(uri_of(params), session.id)
    if found is None:
        raise RpcError(-32602 if on("missing-resource-32602") else -32002, "Resource not found")
    return {"contents": found}


def subscribe(session, params, ctx):
    session.subscriptions.add(uri_of(params))
    return {}


def unsubscribe(session, params, ctx):
    if not on("unsubscribe-ignored"):
        session.subscriptions.discard(uri_of(params))
    return {}


def set_level(session, params, ctx):
    if params.get("level") not in sessions.LEVELS:
        raise RpcError(-32602, "Invalid log level")
    session.set_level(params["level"])
    return {}


METHODS = {"tools/list": tools_list, "tools/call": tools_call, "resources/list": resources_list,
           "resources/templates/list": templates_list, "resources/read": resources_read,
           "resources/subscribe": subscribe, "resources/unsubscribe": unsubscribe, "logging/setLevel": set_level}
SESSION_ONLY = {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"}


def notified(session, message):
    """Handles a notification of the client."""
    params = message.get("params")
    if message["method"] == "notifications/initialized":
        if session.state == "initializing":
            session.state = "ready"
    elif message["method"] == "notifications/cancelled" and isinstance(params, dict) and "requestId" in params:
        holders = [session]
        if on("cancel-from-any-session"):
            with sessions.LOCK:
                holders += list(sessions.SESSIONS.values())
        for holder in holders:
            try:
                ctx = holder.inflight.get(flight_key(params["requestId"]))
            except TypeError:  # an id that is no id: ignored
                return
            if ctx:
                ctx.cancelled.set()


def on_change(uri, what):
    """Tells sessions of changed resources."""
    with sessions.LOCK:
        listeners = list(sessions.SESSIONS.values())
    for session in listeners:
        if not session.push:
            continue
        if uri in session.subscriptions or on("updates-to-all-sessions"):
            session.push({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
        if what == "list" and on("announce-list-changed"):
            session.push({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"})


store.LISTENERS.append(on_change)


def dump(message, indent=None):
    return json.dumps(message, ensure_ascii=False, indent=indent)
