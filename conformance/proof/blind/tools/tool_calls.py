"""tools/list and tools/call."""
import contextlib
import threading
import time

from failures import RpcError, failure_result
from fields import shown_schema
from session import Call
from switches import BREAK, CHOICE, on, table, twist
from tools import all_tools
from validation import BadInput, checked


def _of(name, change):
    """A change of one tool's definition."""
    return lambda d, tool, session: change(d) if tool.name.endswith(name) else d


def _hint(**hints):
    return lambda d: d | {"annotations": d["annotations"] | hints}


def _without_hints(*names):
    return lambda d: d | {"annotations": {k: v for k, v in d["annotations"].items() if k not in names}}


WRAPPED = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}

table(
    "tool", "Tool definition",
    (CHOICE, "tools-without-top-title", "Tools have no title beside their annotations.",
     lambda d, tool, session: {k: v for k, v in d.items() if k != "title"}),
    (CHOICE, "tools-with-meta", "Each tool carries _meta.",
     lambda d, tool, session: d | {"_meta": {"lighthouse.example/group": "register"}}),
    (CHOICE, "descriptions-in-one-line", "Descriptions of tools have no line breaks.",
     lambda d, tool, session: d | {"description": " ".join(d["description"].split())}),
    (CHOICE, "descriptions-with-sections", "Descriptions of tools have markdown sections.",
     lambda d, tool, session: d | {"description": d["description"].replace("Args:", "## Args\n").replace(
         "Returns:", "## Returns\n").replace("Do not use it", "## When not to use\nDo not use it")}),
    (CHOICE, "read-only-tools-with-two-hints", "Read-only tools carry no destructiveHint and no idempotentHint.",
     lambda d, tool, session: _without_hints("destructiveHint", "idempotentHint")(d)
     if tool.hints["readOnlyHint"] else d),
    (BREAK, "tool-name-in-camel-case", "The visibility tool is called lighthouse_getVisibility.",
     _of("get_visibility", lambda d: d | {"name": "lighthouse_getVisibility"})),
    (BREAK, "tool-name-without-service", "The visibility tool is called get_visibility.",
     _of("get_visibility", lambda d: d | {"name": "get_visibility"})),
    (BREAK, "tool-name-with-hyphens", "The visibility tool is called lighthouse-get-visibility.",
     _of("get_visibility", lambda d: d | {"name": "lighthouse-get-visibility"})),
    (BREAK, "tool-without-description", "The log list has an empty description.", _of("list_logs", lambda d: d | {"description": ""})),
    (BREAK, "tool-described-by-name", "Each description is the name of the tool and nothing more.",
     lambda d, tool, session: d | {"description": tool.name.replace("_", " ")}),
    (BREAK, "tool-returns-undescribed", "Descriptions do not tell what the tool returns.",
     lambda d, tool, session: d | {"description": "\n".join(
         line for line in d["description"].splitlines() if not line.startswith("Returns"))}),
    (BREAK, "tool-without-annotations", "The log list has no annotations.",
     _of("list_logs", lambda d: {k: v for k, v in d.items() if k != "annotations"})),
    (BREAK, "tool-without-annotated-title", "The get tool has no annotations.title.", _of("get_tower", _without_hints("title"))),
    (BREAK, "hints-as-text", "The hints of the status tool are strings.",
     _of("set_status", _hint(readOnlyHint="false", idempotentHint="true"))),
    (BREAK, "hints-outside-annotations", "The hints stand in the tool itself, not in annotations.",
     lambda d, tool, session: {k: v for k, v in d.items() if k != "annotations"} | d["annotations"]),
    (BREAK, "create-note-marked-read-only", "The note tool, which adds a note, is marked read-only.",
     _of("create_note", _hint(readOnlyHint=True))),
    (BREAK, "create-note-marked-idempotent", "The note tool, which adds a note at every call, is marked idempotent.",
     _of("create_note", _hint(idempotentHint=True))),
    (BREAK, "clear-notes-marked-harmless", "The clearing tool is marked as not destructive.",
     _of("clear_notes", _hint(destructiveHint=False))),
    (BREAK, "get-marked-closed-world", "The get tool, which asks the upstream API, is marked as closed-world.",
     _of("get_tower", _hint(openWorldHint=False))),
)
table(
    "tool", "MCP: Tools",
    (CHOICE, "output-schema-wrapped", "At 2025-06-18, tools have an output schema with one string, and structuredContent fits it.",
     lambda d, tool, session: d | {"outputSchema": WRAPPED} if session.version == "2025-06-18" else d),
    (BREAK, "output-schema-unmet", "Tools have an output schema, and markdown results have no structuredContent.",
     lambda d, tool, session: d | {"outputSchema": WRAPPED}),
    (BREAK, "output-schema-mismatched", "Tools have an output schema for a string, and structuredContent holds a number.",
     lambda d, tool, session: d | {"outputSchema": WRAPPED}),
    (BREAK, "input-schema-misnamed", "Tools have input_schema in place of inputSchema.",
     lambda d, tool, session: {("input_schema" if k == "inputSchema" else k): v for k, v in d.items()}),
)
table(
    "tools", "MCP: Tools",
    (CHOICE, "tools-in-reverse-order", "tools/list lists the tools in reverse order.", lambda tools: tools[::-1]),
    (BREAK, "tool-listed-twice", "tools/list lists the get tool twice.",
     lambda tools: tools + [d for d in tools if d["name"].endswith("get_tower")]),
    (BREAK, "tool-listed-is-unknown", "tools/list lists a tool that cannot be called.",
     lambda tools: tools + [tools[-1] | {"name": "lighthouse_sound_horn"}]),
)
table("", "MCP: Pagination",
      (CHOICE, "tools-paged", "tools/list gives three tools per page."),
      (CHOICE, "tools-paged-one-by-one", "tools/list gives one tool per page, with long cursors."),
      (CHOICE, "unknown-cursors-ignored", "tools/list with an unknown cursor answers as without a cursor."),
      (BREAK, "tools-cursor-null", "The last page of tools/list has nextCursor null."),
      (BREAK, "tools-cursor-number", "tools/list gives three tools per page, with numbers as cursors."),
      (BREAK, "tools-cursor-loops", "tools/list gives three tools per page, and the last page leads to the first again."),
      (BREAK, "tools-page-loses-one", "tools/list gives three tools per page, and each page after the first lacks its first tool."))
table(
    "result", "MCP: Tools",
    (CHOICE, "success-without-flag", "Results of successful calls do not carry isError.",
     lambda r, call, text: {k: v for k, v in r.items() if k != "isError"}),
    (CHOICE, "structured-beside-json", "At 2025-06-18, json results also come as structuredContent, without an output schema.",
     lambda r, call, text: r | {"structuredContent": call.structured} if _structured(call) else r),
    (CHOICE, "structured-beside-text", "At 2025-06-18, results also come as structuredContent with the text in result, without a schema.",
     lambda r, call, text: _wrapped(r, call, text)),
    (CHOICE, "content-annotated", "Text content carries annotations with audience and priority.",
     lambda r, call, text: r | {"content": [c | {"annotations": {"audience": ["user"], "priority": 0.5}} for c in r["content"]]}),
    (CHOICE, "results-with-meta", "Results of tools carry _meta.",
     lambda r, call, text: r | {"_meta": {"lighthouse.example/calls": 1}}),
    (CHOICE, "get-links-resource", "At 2025-06-18, the get tool adds a resource_link to the tower.",
     lambda r, call, text: r | {"content": r["content"] + [
         {"type": "resource_link", "uri": f"lighthouse://towers/{call.args['tower_id']}", "name": "tower"}]}
     if call.tool.name.endswith("get_tower") and call.session.version == "2025-06-18" else r),
    (BREAK, "content-is-a-string", "The content of a result is a string.", lambda r, call, text: r | {"content": text}),
    (BREAK, "content-type-markdown", "Markdown answers have content of type markdown.",
     lambda r, call, text: r if text[:1] == "{" else r | {"content": [{"type": "markdown", "text": text}]}),
    (BREAK, "content-type-json", "JSON answers have content of type json with an object.",
     lambda r, call, text: r | {"content": [{"type": "json", "json": call.structured}]} if text[:1] == "{" else r),
    (BREAK, "content-absent-beside-structured", "JSON answers have structuredContent and no content.",
     lambda r, call, text: {"structuredContent": call.structured} if text[:1] == "{" else r),
    (BREAK, "structured-content-is-array", "json results of pages have an array as structuredContent.",
     lambda r, call, text: r | {"structuredContent": [call.structured]} if _structured(call) else r),
    (BREAK, "success-flagged-as-error", "Successful results with more than 10,000 characters have isError true.",
     lambda r, call, text: r | {"isError": True} if len(text) > 10000 else r),
)
table(
    "input failure", "Tool definition",
    (CHOICE, "input-errors-worded-by-validator", "Rejected input is told as Input validation error, without the prefix Error:.",
     lambda r, call, bad: _failure(f"Input validation error: {bad}")),
    (CHOICE, "input-errors-first-only", "Rejected input is told with the first problem only.",
     lambda r, call, bad: _failure(f"Error: Invalid input. {bad.problems[0][2]}.")),
    (CHOICE, "input-errors-as-list", "Rejected input is told with one line per problem.",
     lambda r, call, bad: _failure("Error: Invalid input.\n" + "\n".join(f"- {p[2]}" for p in bad.problems))),
    (CHOICE, "input-errors-as-rpc-errors", "Rejected input is answered as JSON-RPC error -32602.",
     lambda r, call, bad: _raise(RpcError(-32602, f"Invalid params: {bad}"))),
    (BREAK, "input-errors-as-internal-errors", "Rejected input is answered as JSON-RPC error -32603.",
     lambda r, call, bad: _raise(RpcError(-32603, "Internal error"))),
    (BREAK, "input-errors-as-success", "Rejected input is answered as a success with the text null.",
     lambda r, call, bad: {"content": [{"type": "text", "text": "null"}], "isError": False}),
    (BREAK, "input-errors-unanswered", "Rejected input is not answered at all over stdio and HTTP+SSE.",
     lambda r, call, bad: _raise(Cancelled()) if call.session.transport != "http" else r),
)
table("", "Errors",
      (BREAK, "note-made-before-validation", "The note tool adds its note before its input is rejected."))
table("", "MCP: Tools",
      (CHOICE, "unknown-tool-as-result", "An unknown tool is answered as a result with isError."),
      (BREAK, "unknown-tool-as-success", "An unknown tool is answered as a success with an empty text."),
      (BREAK, "unknown-tool-runs-similar", "An unknown tool name that ends like a known one runs the known tool."))
table("", "MCP: Base protocol",
      (CHOICE, "slow-answers", "Each tool call takes 150 milliseconds longer."),
      (CHOICE, "one-call-at-a-time", "Tool calls are carried out one after the other."),
      (CHOICE, "cancellation-ignored", "A cancelled call goes on and is answered."),
      (BREAK, "arguments-mixed-up", "Two calls of the same tool in flight both get the answer for the later arguments."))

_one_at_a_time = threading.Lock()
_latest = {}


class Cancelled(Exception):
    """The call was cancelled: there is no answer."""


def _raise(error):
    raise error


def _failure(text):
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _structured(call):
    return call.args.get("response_format") == "json" and call.structured and call.session.version == "2025-06-18"


def _wrapped(result, call, text):
    return result | {"structuredContent": {"result": text}} if call.session.version == "2025-06-18" else result


def definition(tool, session):
    """A tool as tools/list shows it."""
    shown = {"name": tool.name, "title": tool.title, "description": tool.description,
             "inputSchema": shown_schema(tool), "annotations": {"title": tool.title, **tool.hints}}
    if session.version != "2025-06-18":
        del shown["title"]
    return twist("tool", shown, tool, session)


def list_tools(session, params):
    tools = twist("tools", [definition(tool, session) for tool in all_tools()])
    prefix, size = ("cursor-" * 12, 1) if on("tools-paged-one-by-one") else ("after-", 3)
    paged = any(map(on, ("tools-paged", "tools-cursor-number", "tools-cursor-loops", "tools-page-loses-one"))) or size == 1
    cursors = [f"{prefix}{start}" for start in range(size, len(tools), size)] if paged else []
    if on("tools-cursor-number"):
        prefix, cursors = "", list(range(size, len(tools), size))
    cursor, start = params.get("cursor"), 0
    if cursor is not None and not on("unknown-cursors-ignored") or cursor in cursors:
        if cursor not in cursors and not (on("tools-cursor-loops") and cursor == "after-0"):
            raise RpcError(-32602, "Invalid cursor")
        start = int(str(cursor).removeprefix(prefix))
    if not paged:
        return {"tools": tools, "nextCursor": None} if on("tools-cursor-null") else {"tools": tools}
    result = {"tools": tools[start + (1 if start and on("tools-page-loses-one") else 0):start + size]}
    place = start // size
    if place < len(cursors):
        result["nextCursor"] = cursors[place]
    elif on("tools-cursor-loops"):
        result["nextCursor"] = "after-0"
    return result


def _find(name):
    for tool in all_tools():
        if definition(tool, Anyone)["name"] == name:
            return tool
        if on("unknown-tool-runs-similar") and str(name).endswith(tool.function.__name__):
            return tool
    return None


class Anyone:
    """Stands for a session where only names of tools matter."""
    version = None


def call_tool(session, params, send, request_id):
    name, given = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(given, dict):
        raise RpcError(-32602, "Invalid params: name must be a string and arguments an object")
    tool = _find(name)
    if tool is None:
        if on("unknown-tool-as-result"):
            return _failure(f"Error: Unknown tool: {name}")
        if on("unknown-tool-as-success"):
            return {"content": [{"type": "text", "text": ""}], "isError": False}
        raise RpcError(-32602, f"Unknown tool: {name}")
    meta = params.get("_meta")
    call = Call(session, tool, given, send, request_id, meta.get("progressToken") if isinstance(meta, dict) else None)
    session.running[request_id] = call
    try:
        if on("one-call-at-a-time"):
            with _one_at_a_time:
                result = _run(call)
        else:
            result = _run(call)
    finally:
        session.running.pop(request_id, None)
    if call.cancelled and not on("cancellation-ignored"):
        raise Cancelled()
    return result


def _run(call):
    try:
        call.args = checked(call.tool, call.given)
    except BadInput as bad:
        if call.tool.name.endswith("create_note") and on("note-made-before-validation"):
            with contextlib.suppress(Exception):
                call.tool.function(call)
        return twist("input failure", _failure(f"Error: Invalid input. {bad}."), call, bad)
    if on("slow-answers"):
        time.sleep(0.15)
    if on("arguments-mixed-up"):
        _latest[call.tool.name] = call.args
        time.sleep(0.05)
        call.args = _latest[call.tool.name]
    try:
        text = call.tool.function(call)
    except Exception as error:
        return failure_result(call, error)
    result = {"content": [{"type": "text", "text": text}], "isError": False}
    if on("output-schema-wrapped"):
        result = _wrapped(result, call, text)
    if on("output-schema-mismatched"):
        result["structuredContent"] = {"result": len(text)}
    if on("output-schema-unmet") and text[:1] == "{":
        result["structuredContent"] = {"result": text}
    return twist("result", result, call, text)
