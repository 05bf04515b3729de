"""The streamable HTTP endpoint of the Model Context Protocol."""
import json

import door
import tools
from core import LOCK, S, Resp, json_resp, on, random_token

VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"]
JSON_TYPE = "application/json"


def rpc_error(ident, code, message):
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}


def rpc_result(ident, result):
    if on("number-ids-become-text") and isinstance(ident, int):
        ident = str(ident)
    return {"jsonrpc": "2.0", "id": ident, "result": result}


def origin_ok(req):
    origin = req.header("Origin")
    if origin is None or origin == S.origin or on("origin-not-checked"):
        return True
    if on("origin-prefix-match") and origin.startswith(S.origin):
        return True
    if on("origin-null-accepted") and origin == "null":
        return True
    return on("origin-localhost-accepted") and origin.startswith("http://localhost:")


def owner(who):
    return (who["login"], who["client_id"])


def initialize(who, message):
    params = message.get("params") if isinstance(message.get("params"), dict) else {}
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        return None, rpc_error(message.get("id"), -32602, "Invalid params: protocolVersion is required"), None
    version = asked if asked in VERSIONS or on("unknown-version-echoed") else VERSIONS[0]
    session = None
    if not on("no-sessions"):
        session = random_token(24)
        if on("session-id-counts-up"):
            session = "session-%d" % S.next_number()
        if on("session-id-is-token"):
            session = who["token"] or session
        S.sessions[session] = {"principal": who, "version": version, "owner": owner(who)}
    info = {"name": "notes_mcp", "version": "1.0.0"}
    if on("server-name-has-version"):
        info["name"] = "notes_mcp_v1"
    result = {"protocolVersion": version, "capabilities": {"tools": {"listChanged": False}}, "serverInfo": info}
    if on("has-instructions"):
        result["instructions"] = "Use the tools to read and add notes."
    return session, rpc_result(message.get("id"), result), version


def one(who, message, scope_seen):
    """Answer one message; returns (answer or None, refusal or None)."""
    ident, method = message.get("id"), message.get("method")
    if not isinstance(method, str) or message.get("jsonrpc") != "2.0":
        if "result" in message or "error" in message:
            return None, None
        return rpc_error(None, -32600, "Invalid Request"), None
    if "id" not in message:
        return None, None
    if isinstance(ident, bool) or not isinstance(ident, (str, int, float)):
        return rpc_error(None, -32600, "Invalid Request"), None
    if method == "ping":
        return rpc_result(ident, {}), None
    if method == "tools/list":
        listed = tools.definitions()
        if on("tools-list-follows-scopes"):
            listed = [t for t in listed if tools.scope_ok(who, t["name"], {})]
        if on("tools-list-in-pages"):
            cursor = (message.get("params") or {}).get("cursor")
            result = {"tools": listed[2:]} if cursor == "2" else {"tools": listed[:2], "nextCursor": "2"}
            return rpc_result(ident, result), None
        return rpc_result(ident, {"tools": listed}), None
    if method == "tools/call":
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        name, args = params.get("name"), params.get("arguments", {})
        if name not in tools.RUN:
            if on("unknown-tool-is-tool-error"):
                return rpc_result(ident, {"content": [{"type": "text", "text": "Error: Unknown tool"}], "isError": True}), None
            return rpc_error(ident, -32602, "Unknown tool"), None
        if not isinstance(args, dict):
            return rpc_error(ident, -32602, "Invalid params"), None
        if S.pattern != "jwt" and not tools.scope_ok(who, name, args) and not (
                on("batch-checks-first-scope-only") and scope_seen):
            if on("refused-scope-has-effect"):
                tools.call(who, name, args)
            return None, insufficient(ident, tools.scope_needed(name, args)[0], who)
        scope_seen.append(name)
        result = tools.call(who, name, args)
        if on("invalid-input-is-protocol-error") and result["isError"] and "Invalid input" in result["content"][0]["text"]:
            return rpc_error(ident, -32602, result["content"][0]["text"]), None
        return rpc_result(ident, result), None
    return rpc_error(ident, -32603 if on("unknown-method-wrong-code") else -32601, "Method not found"), None


def insufficient(ident, scope, who):
    if on("insufficient-scope-is-tool-error"):
        return json_resp(200, rpc_result(ident, {"content": [{"type": "text", "text": "Error: Permission denied"}], "isError": True}))
    status = 401 if on("insufficient-scope-401") else 403
    named = scope
    if on("insufficient-scope-names-wrong-scope"):
        named = "items:admin"
    if on("insufficient-scope-names-all"):
        named = " ".join(dict.fromkeys(who["scope"].split(" ") + [scope]))
    error = "invalid_token" if on("insufficient-scope-wrong-error") else "insufficient_scope"
    resp = json_resp(status, {"error": error, "error_description": "The scope %s is needed." % scope})
    if not on("insufficient-scope-without-challenge"):
        resp.add("WWW-Authenticate", door.challenge(error, "A further scope is needed", named))
    return resp


def check_session(req, who):
    """Return (session, refusal)."""
    ident = req.header("Mcp-Session-Id")
    if on("no-sessions"):
        return None, None
    if not ident:
        if on("session-optional"):
            return None, None
        return None, json_resp(400, rpc_error(None, -32600, "Mcp-Session-Id is required"))
    session = S.sessions.get(ident)
    if session is None:
        if on("unknown-session-accepted") and ident not in S.ended:
            return None, None
        return None, json_resp(400 if on("unknown-session-400") else 404, rpc_error(None, -32001, "Session not found"))
    if session["owner"] != owner(who) and not on("session-of-other-user-accepted") and not (
            on("session-of-other-client-accepted") and session["owner"][0] == owner(who)[0]):
        if who["client_id"] != "anyone":
            return None, json_resp(404, rpc_error(None, -32001, "Session not found"))
    return session, None


def effect_of_refused(req):
    """Switch: a tool call with an expired token runs although it is refused."""
    try:
        who = door.lookup(door.read_token(req) or "", {"exp"})
        message = json.loads(req.body)
        tools.call(who, message["params"]["name"], message["params"]["arguments"])
    except (door.Refused, ValueError, KeyError, TypeError):
        return


def endpoint(req):
    if not origin_ok(req):
        return json_resp(403, rpc_error(None, -32600, "Origin not allowed"))
    if req.method == "OPTIONS" and on("answers-options"):
        return Resp(204, b"", None, [("Allow", "GET, POST, DELETE, OPTIONS")])
    try:
        who = door.enter(req)
    except door.Refused as refused:
        if on("expired-token-has-effect") and refused.why == "expired":
            effect_of_refused(req)
        return refused.resp
    if req.method == "POST":
        return post(req, who)
    if req.method == "DELETE" and not on("sessions-cannot-be-ended"):
        if on("other-user-ends-session"):
            session, refusal = S.sessions.get(req.header("Mcp-Session-Id") or ""), None
        else:
            session, refusal = check_session(req, who)
        if refusal or session is None:
            return refusal or Resp(404)
        if not on("ended-session-still-works"):
            with LOCK:
                S.sessions.pop(req.header("Mcp-Session-Id"), None)
                S.ended.add(req.header("Mcp-Session-Id"))
        return Resp(200 if on("session-end-200") else 204)
    if req.method == "GET" and (on("get-opens-stream") or on("get-stream-without-token") and who["client_id"] == "anyone"):
        return Resp(200, ": open\n\n", "text/event-stream", [("Cache-Control", "no-store")])
    return Resp(405, "Method not allowed", "text/plain", [("Allow", "POST, DELETE")])


def version_refusal(req):
    version = req.header("MCP-Protocol-Version")
    if version is not None and version not in VERSIONS and not on("bad-version-header-accepted"):
        return json_resp(400, rpc_error(None, -32600, "Unsupported MCP-Protocol-Version"))
    return None


def post(req, who):
    accept = (req.header("Accept") or "").lower()
    if on("accept-header-required") and not ("application/json" in accept and "text/event-stream" in accept):
        return json_resp(406, rpc_error(None, -32600, "Not acceptable"))
    if req.content_type() != JSON_TYPE and not on("any-content-type-accepted"):
        return json_resp(415, rpc_error(None, -32600, "Content-Type must be application/json"))
    try:
        value = json.loads(req.body.decode("utf-8"))
    except (ValueError, RecursionError):
        return json_resp(500 if on("parse-error-500") else 400, rpc_error(None, -32700, "Parse error"))
    refusal = version_refusal(req)
    if refusal:
        return refusal
    if isinstance(value, dict) and value.get("method") == "initialize" and "id" in value:
        session, answer, _ = initialize(who, value)
        return finish(answer, [("Mcp-Session-Id", session)] if session else [])
    session, refusal = (None, None) if who["client_id"] == "anyone" else check_session(req, who)
    if refusal:
        return refusal
    version = req.header("MCP-Protocol-Version") or (session or {}).get("version") or "2025-03-26"
    batch = isinstance(value, list)
    if batch and (version != "2025-03-26" and not on("batch-accepted-in-new-versions") or not value
                  or on("batch-refused-in-old-version")):
        return json_resp(400, rpc_error(None, -32600, "Batches are not supported in this version"))
    messages = value if batch else [value]
    if not all(isinstance(m, dict) for m in messages):
        return json_resp(400, rpc_error(None, -32600, "Invalid Request"))
    answers, seen = [], []
    for message in messages:
        answer, refusal = one(who, message, seen)
        if refusal:
            return refusal
        if answer is not None:
            answers.append(answer)
    if not answers:
        if on("notification-answered-200"):
            return json_resp(200, {})
        return Resp(202)
    if not batch and answers[0].get("error", {}).get("code") == -32600:
        return json_resp(400, answers[0])
    return finish(answers if batch else answers[0], [])


def finish(answer, headers):
    if on("answers-as-event-stream"):
        text = "event: message\ndata: %s\n\n" % json.dumps(answer, ensure_ascii=False)
        return Resp(200, text, "text/event-stream", headers + [("Cache-Control", "no-store")])
    return json_resp(200, answer, headers)
