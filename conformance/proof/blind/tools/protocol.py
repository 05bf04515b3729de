"""The methods of the Model Context Protocol, apart from tools."""
import resources
from data import SERVER_NAME
from failures import RpcError
from session import LEVELS
from switches import BREAK, CHOICE, on, table, twist
from tool_calls import call_tool, list_tools

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18"]

table(
    "initialize", "MCP: Lifecycle",
    (CHOICE, "instructions-given", "The server gives instructions.",
     lambda r, params: r | {"instructions": "Search first, then read single towers by identifier."}),
    (CHOICE, "capability-experimental", "The server declares an experimental capability.",
     lambda r, params: _declare(r, experimental={"lighthouse.example/lamps": {}})),
    (CHOICE, "capability-list-changed", "The server declares listChanged for tools and says once that the list has changed.",
     lambda r, params: _declare(r, tools={"listChanged": True})),
    (CHOICE, "capabilities-spelt-out", "The server declares listChanged false and subscribe false.",
     lambda r, params: _declare(r, tools={"listChanged": False}, resources={"listChanged": False, "subscribe": False})),
    (CHOICE, "prompts-empty", "The server declares prompts and has an empty list of them.",
     lambda r, params: _declare(r, prompts={})),
    (CHOICE, "server-without-title", "The server has no title.",
     lambda r, params: r | {"serverInfo": {k: v for k, v in r["serverInfo"].items() if k != "title"}}),
    (CHOICE, "initialize-with-meta", "The result of initialize carries _meta.",
     lambda r, params: r | {"_meta": {"lighthouse.example/build": "a1"}}),
    (BREAK, "version-echoed", "A protocol version that the server does not know is accepted.",
     lambda r, params: r | {"protocolVersion": params["protocolVersion"]}),
    (BREAK, "version-absent", "The result of initialize has no protocolVersion.",
     lambda r, params: {k: v for k, v in r.items() if k != "protocolVersion"}),
    (BREAK, "server-info-absent", "The result of initialize has no serverInfo.",
     lambda r, params: {k: v for k, v in r.items() if k != "serverInfo"}),
    (BREAK, "server-version-absent", "serverInfo has no version.",
     lambda r, params: r | {"serverInfo": {k: v for k, v in r["serverInfo"].items() if k != "version"}}),
    (BREAK, "capabilities-without-tools", "The tools capability is not declared, though there are tools.",
     lambda r, params: _undeclare(r, "tools")),
    (BREAK, "capabilities-without-resources", "The resources capability is not declared, though there are resources.",
     lambda r, params: _undeclare(r, "resources")),
    (BREAK, "capabilities-without-logging", "The logging capability is not declared, though log notices are sent.",
     lambda r, params: _undeclare(r, "logging")),
    (BREAK, "capabilities-as-list", "The capabilities are a list of names.",
     lambda r, params: r | {"capabilities": list(r["capabilities"])}),
)
table(
    "initialize", "Tool definition: server name",
    (BREAK, "server-name-with-version", "The server is named lighthouse_mcp_v2.", lambda r, params: _named(r, SERVER_NAME + "_v2")),
    (BREAK, "server-name-with-hyphen", "The server is named lighthouse-mcp.", lambda r, params: _named(r, "lighthouse-mcp")),
    (BREAK, "server-name-in-capitals", "The server is named Lighthouse_MCP.", lambda r, params: _named(r, "Lighthouse_MCP")),
    (BREAK, "server-name-without-mcp", "The server is named lighthouse.", lambda r, params: _named(r, "lighthouse")),
    (BREAK, "server-name-with-date", "The server is named lighthouse_mcp_20250618.",
     lambda r, params: _named(r, SERVER_NAME + "_20250618")),
)
table("", "MCP: Lifecycle",
      (CHOICE, "speaks-2025-06-18-only", "The server speaks protocol version 2025-06-18 only."),
      (CHOICE, "speaks-2025-03-26-only", "The server speaks protocol version 2025-03-26 only."),
      (CHOICE, "speaks-2024-11-05-only", "The server speaks protocol version 2024-11-05 only."),
      (CHOICE, "unknown-version-gets-oldest", "A client with an unknown protocol version gets 2024-11-05."),
      (CHOICE, "resources-absent", "The server has no resources."),
      (CHOICE, "logging-absent", "The server has no logging."),
      (CHOICE, "server-pings-client", "The server pings the client once after initialization."),
      (CHOICE, "greets-by-log", "The server sends a log notice after initialization."),
      (CHOICE, "serves-before-initialize", "Requests before initialize are served over stdio and HTTP+SSE."),
      (BREAK, "version-downgraded", "A client that asks for 2025-06-18 gets 2025-03-26, though 2025-06-18 is spoken to others."),
      (BREAK, "requests-during-initialize", "The server sends roots/list before it answers initialize."),
      (BREAK, "second-initialize-required", "The first initialize of the server is answered as an unknown method."))
table("", "MCP: Ping",
      (BREAK, "ping-unknown", "ping is answered as an unknown method."),
      (BREAK, "ping-not-empty", "ping is answered with a member pong."),
      (BREAK, "ping-waits-for-calls", "ping is not answered while a tool call is running."))
table("", "MCP: Logging",
      (CHOICE, "log-level-error-explained", "An unknown log level is answered with the known levels in data."),
      (BREAK, "log-set-level-unserved", "logging/setLevel is an unknown method, though logging is declared."),
      (BREAK, "log-set-level-accepts-anything", "logging/setLevel accepts unknown levels."))


def _declare(result, **capabilities):
    return result | {"capabilities": result["capabilities"] | capabilities}


def _undeclare(result, name):
    return result | {"capabilities": {k: v for k, v in result["capabilities"].items() if k != name}}


def _named(result, name):
    return result | {"serverInfo": result["serverInfo"] | {"name": name}}


def spoken_versions():
    only = [version for version in VERSIONS if on(f"speaks-{version}-only")]
    return only or VERSIONS


def _initialize(session, params):
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        raise RpcError(-32602, "Invalid params: protocolVersion must be a string")
    spoken = spoken_versions()
    latest = spoken[0] if on("unknown-version-gets-oldest") else spoken[-1]
    if asked == "2025-06-18" and on("version-downgraded"):
        asked = "2025-03-26"
    session.version = asked if asked in spoken else latest
    session.client = params.get("capabilities") or {}
    if on("requests-during-initialize"):
        session.send({"jsonrpc": "2.0", "id": "server-roots", "method": "roots/list"})
    capabilities = {"tools": {}}
    if not on("resources-absent"):
        capabilities["resources"] = {}
    if not on("logging-absent"):
        capabilities["logging"] = {}
    info = {"name": SERVER_NAME, "version": "1.0.0"}
    if session.version == "2025-06-18":
        info["title"] = "Lighthouse register"
    return twist("initialize", {"protocolVersion": session.version, "capabilities": capabilities, "serverInfo": info}, params)


def _set_level(session, params):
    level = params.get("level")
    if level not in LEVELS:
        if on("log-set-level-accepts-anything"):
            return {}
        data = {"levels": LEVELS} if on("log-level-error-explained") else None
        raise RpcError(-32602, "Invalid log level", data)
    if session.log_level is None or not on("log-level-set-once"):
        session.log_level = level
    return {}


def _read_resource(session, params):
    if not isinstance(params.get("uri"), str):
        raise RpcError(-32602, "Invalid params: uri must be a string")
    return resources.read(params["uri"])


def _methods():
    """The methods that take a session and params, by name."""
    methods = {"initialize": _initialize, "tools/list": list_tools,
               "ping": lambda session, params: {"pong": True} if on("ping-not-empty") else {}}
    if not on("resources-absent"):
        methods |= {"resources/list": lambda session, params: resources.list_resources(),
                    "resources/templates/list": lambda session, params: resources.list_templates(),
                    "resources/read": _read_resource}
    if not on("logging-absent") and not on("log-set-level-unserved"):
        methods["logging/setLevel"] = _set_level
    if on("prompts-empty"):
        methods["prompts/list"] = lambda session, params: {"prompts": []}
    if on("ping-unknown"):
        del methods["ping"]
    return methods


_initialized = {"count": 0}


def answer_request(session, method, params, send, request_id):
    """The result of a request; raises RpcError."""
    if method == "initialize" and on("second-initialize-required"):
        _initialized["count"] += 1
        if _initialized["count"] == 1:
            raise RpcError(-32601, "Method not found: initialize")
    if session.version is None and method not in ("initialize", "ping") and not on("serves-before-initialize"):
        raise RpcError(-32600, "The session is not initialized")
    if method == "tools/call":
        return call_tool(session, params, send, request_id)
    answer = _methods().get(method)
    if answer is None:
        raise RpcError(-32601, f"Method not found: {method}")
    return answer(session, params)


def take_notification(session, method, params):
    """Unknown notifications are ignored."""
    if method == "notifications/initialized" and not session.ready:
        session.ready = True
        if on("server-pings-client"):
            session.send({"jsonrpc": "2.0", "id": "server-ping", "method": "ping"})
        if on("capability-list-changed"):
            session.send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        if on("greets-by-log"):
            session.send({"jsonrpc": "2.0", "method": "notifications/message",
                          "params": {"level": "info", "data": "The register is open."}})
    if method == "notifications/cancelled" and not on("cancellation-ignored"):
        call = session.running.get(params.get("requestId"))
        if call:
            call.cancelled = True
