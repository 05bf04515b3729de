"""JSON-RPC 2.0: parsing, dispatch, errors and batches."""
import time

from failures import RpcError
from protocol import answer_request, take_notification
from switches import BREAK, CHOICE, on, table, twist
from tool_calls import Cancelled


def _in_errors(change):
    return lambda response, message, session: change(response) if "error" in response else response


def _error_with(code, new):
    """A change of the error member of responses with this error code."""
    return _in_errors(lambda r: r | {"error": r["error"] | new} if r["error"]["code"] == code else r)


def _id(change):
    return lambda response, message, session: response | {"id": change(response["id"])} if "id" in response else response


def _number(key):
    return int(key) if isinstance(key, str) and key.isdigit() else key


WHERE = "JSON-RPC 2.0"

table(
    "response", WHERE,
    (CHOICE, "rpc-error-texts-differ", "The messages of JSON-RPC errors are worded differently.",
     _in_errors(lambda r: r | {"error": r["error"] | {"message": f"Request refused ({r['error']['code']})"}})),
    (CHOICE, "rpc-errors-with-data", "JSON-RPC errors carry data.",
     _in_errors(lambda r: r | {"error": {"data": {"server": "lighthouse_mcp"}} | r["error"]})),
    (CHOICE, "rpc-members-reordered", "Responses have the result or error first and jsonrpc last.",
     lambda r, message, session: dict(reversed(r.items()))),
    (BREAK, "ids-as-text", "Numeric ids come back as strings.", _id(lambda key: str(key) if isinstance(key, int) else key)),
    (BREAK, "digit-ids-as-numbers", "Ids that are strings of digits come back as numbers.", _id(_number)),
    (BREAK, "id-zero-as-null", "The id 0 comes back as null.", _id(lambda key: key or None)),
    (BREAK, "large-ids-rounded", "Integer ids beyond 2^53 come back rounded.",
     _id(lambda key: int(float(key)) if isinstance(key, int) and abs(key) > 2**53 else key)),
    (BREAK, "long-ids-cut", "String ids longer than 32 characters come back cut.",
     _id(lambda key: key[:32] if isinstance(key, str) else key)),
    (BREAK, "error-ids-null", "Error responses have the id null, also where the id is known.",
     _in_errors(lambda r: r | {"id": None})),
    (BREAK, "errors-without-jsonrpc", "Error responses lack the member jsonrpc.",
     _in_errors(lambda r: {k: v for k, v in r.items() if k != "jsonrpc"})),
    (BREAK, "jsonrpc-as-number", "The member jsonrpc is the number 2.0.", lambda r, message, session: r | {"jsonrpc": 2.0}),
    (BREAK, "errors-with-result", "Error responses also have a result, which is null.", _in_errors(lambda r: r | {"result": None})),
    (BREAK, "results-with-error", "Successful responses also have an error, which is null.",
     lambda r, message, session: r | {"error": None} if "result" in r else r),
    (BREAK, "error-codes-as-text", "Error codes are strings.",
     _in_errors(lambda r: r | {"error": r["error"] | {"code": str(r["error"]["code"])}})),
    (BREAK, "errors-without-message", "JSON-RPC errors have no message.",
     _in_errors(lambda r: r | {"error": {k: v for k, v in r["error"].items() if k != "message"}})),
    (BREAK, "errors-as-strings", "The error member is a string.", _in_errors(lambda r: r | {"error": r["error"]["message"]})),
    (BREAK, "unknown-method-code-32603", "An unknown method has the error code -32603.", _error_with(-32601, {"code": -32603})),
    (BREAK, "unknown-method-code-404", "An unknown method has the error code 404.", _error_with(-32601, {"code": 404})),
    (BREAK, "unknown-method-as-success", "An unknown method is answered with an empty result.",
     _in_errors(lambda r: {"jsonrpc": "2.0", "id": r["id"], "result": {}} if r["error"]["code"] == -32601 else r)),
    (BREAK, "unknown-method-unanswered", "An unknown method is not answered over stdio and HTTP+SSE.",
     lambda r, message, session: None if r.get("error", {}).get("code") == -32601 and session.transport != "http" else r),
    (BREAK, "parse-error-code-32600", "Text that is not JSON has the error code -32600.", _error_with(-32700, {"code": -32600})),
    (BREAK, "parse-error-unanswered", "Over stdio, text that is not JSON is not answered.",
     lambda r, message, session: None if r.get("error", {}).get("code") == -32700 and session.transport == "stdio" else r),
    (BREAK, "invalid-request-unanswered", "Over stdio, JSON that is not a request is not answered.",
     lambda r, message, session: None if r.get("error", {}).get("code") == -32600 and session.transport == "stdio" else r),
    (BREAK, "params-error-code-32600", "Invalid params have the error code -32600.", _error_with(-32602, {"code": -32600})),
    (BREAK, "tools-list-not-an-object", "The result of tools/list is the bare array of tools.",
     lambda r, message, session: r | {"result": r["result"]["tools"]} if "tools" in r.get("result", {}) else r),
)
table("", WHERE,
      (BREAK, "notifications-answered", "Notifications are answered with an empty result and id null over stdio and HTTP+SSE."),
      (BREAK, "unknown-notifications-answered", "Unknown notifications are answered with error -32601 over stdio and HTTP+SSE."),
      (BREAK, "answered-twice", "Over stdio and HTTP+SSE, tool calls are answered twice."),
      (BREAK, "method-number-accepted", "A request without jsonrpc and with a number as method is answered with {}."),
      (BREAK, "params-array-accepted", "Params that are an array are taken as empty."))
table("", "MCP 2025-03-26: Batching",
      (CHOICE, "batches-in-all-versions", "Batches are also served at protocol version 2025-06-18."),
      (CHOICE, "batch-answers-reversed", "The answers to a batch come in reverse order."),
      (BREAK, "batches-refused", "Batches are rejected at protocol version 2025-03-26."),
      (BREAK, "batch-answers-single", "The answers to a batch are sent one by one over stdio, not as an array."),
      (BREAK, "batch-answers-first-only", "Only the first request of a batch is answered."),
      (BREAK, "batch-includes-notifications", "The answer to a batch has null for each notification."),
      (BREAK, "empty-batch-empty-answer", "An empty batch is answered with an empty array."))
table("", "MCP 2025-06-18: Base protocol",
      (BREAK, "null-ids-served", "A request with the id null is served, and its answer has the id null."))


def error_response(key, code, message, data=None):
    error = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": key, "error": error}


def parse_error(session):
    """The response to text that is not JSON."""
    return twist("response", error_response(None, -32700, "Parse error"), None, session)


def is_request(message):
    return isinstance(message, dict) and "method" in message and "id" in message


def is_slow(message):
    """Whether serving the message may take time, so that others should not wait for it."""
    return isinstance(message, list) or is_request(message) and message["method"] == "tools/call"


def malformed(message):
    """The response to a message that is neither request, notification nor response; otherwise None."""
    if isinstance(message, list):
        return error_response(None, -32600, "Invalid Request: an empty batch") if not message else None
    if not isinstance(message, dict):
        return error_response(None, -32600, "Invalid Request: not an object")
    key = message.get("id")
    good_id = isinstance(key, (str, int)) and not isinstance(key, bool)
    if on("null-ids-served") and key is None:
        good_id = True
    if "method" not in message and ("result" in message or "error" in message):
        return None
    if on("method-number-accepted") and isinstance(message.get("method"), int):
        return {"jsonrpc": "2.0", "id": key, "result": {}}
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str) or "id" in message and not good_id:
        return error_response(key if good_id else None, -32600, "Invalid Request")
    return None


def serve(session, message, send):
    """Serve one message or batch; send gets the answer and what belongs to it."""
    if isinstance(message, list) and message:
        _serve_batch(session, message, send)
        return
    if message == [] and on("empty-batch-empty-answer"):
        send([])
        return
    response = _answer(session, message, send)
    if response is not None:
        send(response)
        _extras(session, message, response, send)


def _extras(session, message, response, send):
    """What switches send after the answer."""
    if not is_request(message) or message["method"] != "tools/call" or session.transport == "http":
        return
    if on("answered-twice"):
        send(response)
    token = (message.get("params", {}).get("_meta") or {}).get("progressToken")
    if token is not None and on("progress-after-response"):
        time.sleep(0.01)
        send({"jsonrpc": "2.0", "method": "notifications/progress",
              "params": {"progressToken": token, "progress": 2.0, "message": "Done"}})


def refused_batch(session, message):
    """The response to a batch in a session whose protocol version has none; otherwise None."""
    known = session.version in ("2024-11-05", "2025-03-26") or on("batches-in-all-versions")
    if isinstance(message, list) and (not known or on("batches-refused")):
        return error_response(None, -32600, "Invalid Request: batches are not supported")
    return None


def _serve_batch(session, messages, send):
    refusal = refused_batch(session, messages)
    if refusal:
        send(refusal)
        return
    answers = []
    for message in messages:
        if is_request(message) and message["method"] == "initialize":
            answer = error_response(message["id"], -32600, "Invalid Request: initialize in a batch")
        else:
            answer = _answer(session, message, send)
        if answer is not None or on("batch-includes-notifications"):
            answers.append(answer)
    if on("batch-answers-first-only"):
        answers = answers[:1]
    if on("batch-answers-reversed"):
        answers.reverse()
    if on("batch-answers-single") and session.transport == "stdio":
        for answer in answers:
            send(answer)
    elif answers:
        send(answers)


def _answer(session, message, send):
    """The response to one message, or None."""
    wrong = malformed(message)
    if wrong:
        return twist("response", wrong, message, session)
    if "method" not in message:
        session.take_answer(message)
        return None
    method, params = message["method"], message.get("params", {})
    if "id" not in message:
        take_notification(session, method, params if isinstance(params, dict) else {})
        return _answer_to_notification(session, method)
    key = message["id"]
    if isinstance(params, list) and on("params-array-accepted"):
        params = {}
    if on("ping-waits-for-calls") and method == "ping":
        while session.running:
            time.sleep(0.02)
    try:
        if not isinstance(params, dict):
            raise RpcError(-32602, "Invalid params: not an object")
        response = {"jsonrpc": "2.0", "id": key, "result": answer_request(session, method, params, send, key)}
    except Cancelled:
        return None
    except RpcError as error:
        response = error_response(key, error.code, error.message, error.data)
    except Exception as error:
        response = error_response(key, -32603, f"Internal error: {type(error).__name__}")
    return twist("response", response, message, session)


def _answer_to_notification(session, method):
    """Nothing, unless a switch is on."""
    if session.transport == "http":
        return None
    if on("notifications-answered"):
        return {"jsonrpc": "2.0", "id": None, "result": {}}
    known = ("notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed")
    if method not in known and on("unknown-notifications-answered"):
        return error_response(None, -32601, f"Method not found: {method}")
    return None
