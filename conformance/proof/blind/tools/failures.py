"""What a tool says when it fails."""
import traceback

from switches import BREAK, CHOICE, nth, table, twist
from upstream import UpstreamStatus, UpstreamTimeout

STATUS_TEXTS = {
    401: "Error: Invalid API authentication. Check the API key of the server.",
    403: "Error: Permission denied. You do not have access to this resource.",
    404: "Error: Resource not found. Check that the identifier is correct.",
    429: "Error: Rate limit exceeded. Wait before retrying.",
}
TERSE_TEXTS = {
    401: "Error: the API did not accept the server's authentication (invalid credentials)",
    403: "Error: permission was denied by the API",
    404: "Error: there is no such resource (not found) - please check the ID you gave",
    429: "Error: too many requests, the rate limit is exceeded; please wait a little before you retry",
    "timeout": "Error: the request timed out, please try again",
}


class ToolError(Exception):
    """A failure whose text is told as it is."""


class RpcError(Exception):
    """A failure that is answered as a JSON-RPC error."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def _rpc_failure(cause, text):
    raise RpcError(-32603, text)


def _only(wanted, change):
    """A change that is made only when the cause is one of those wanted."""
    return lambda text, cause, error, call: change(text, cause) if cause in wanted else text


OTHER = [s for s in range(300, 600) if s not in STATUS_TEXTS]
EVERY = list(range(300, 600)) + ["timeout", "unexpected"]
WHERE = "Errors"

table(
    "failure text", WHERE,
    (CHOICE, "error-texts-terse", "The five fixed failure texts are worded differently, with the same meaning.",
     lambda text, cause, error, call: TERSE_TEXTS.get(cause, text)),
    (CHOICE, "error-texts-name-status", "Every failure text for an upstream status ends with the status in parentheses.",
     _only(EVERY[:-2], lambda text, cause: f"{text} (status {cause})")),
    (CHOICE, "error-texts-name-tool", "Every failure text names the tool in a second line.",
     lambda text, cause, error, call: f"{text}\nTool: {call.tool.name}"),
    (CHOICE, "error-types-qualified", "The text of an unexpected error names the type with its module.",
     lambda text, cause, error, call: text.replace(type(error).__name__, f"{type(error).__module__}."
                                                   + type(error).__name__) if cause == "unexpected" else text),
    (CHOICE, "error-prefix-on-own-line", "A failure text has a line break, not a space, after Error:.",
     lambda text, cause, error, call: text.replace("Error: ", "Error:\n", 1)),
    (BREAK, "error-404-as-other-status", "Upstream 404 is told like any other status: request failed with status 404.",
     _only([404], lambda text, cause: "Error: API request failed with status 404.")),
    (BREAK, "error-403-told-as-401", "Upstream 403 gets the text of 401.", _only([403], lambda t, c: STATUS_TEXTS[401])),
    (BREAK, "error-401-told-as-403", "Upstream 401 gets the text of 403.", _only([401], lambda t, c: STATUS_TEXTS[403])),
    (BREAK, "error-403-told-as-404", "Upstream 403 gets the text of 404.", _only([403], lambda t, c: STATUS_TEXTS[404])),
    (BREAK, "error-429-told-as-timeout", "Upstream 429 gets the text of a timeout.",
     _only([429], lambda t, c: "Error: Request timed out. Try again.")),
    (BREAK, "error-429-without-prefix", "The text for upstream 429 lacks the prefix Error:.",
     _only([429], lambda t, c: t.removeprefix("Error: "))),
    (BREAK, "error-429-without-wait", "The text for upstream 429 does not say to wait before retrying.",
     _only([429], lambda t, c: "Error: Rate limit exceeded.")),
    (BREAK, "error-other-without-status", "The text for other upstream statuses does not name the status.",
     _only(OTHER, lambda t, c: "Error: API request failed.")),
    (BREAK, "error-502-names-500", "Upstream 502 is told as status 500.", _only([502], lambda t, c: t.replace("502", "500"))),
    (BREAK, "error-4xx-names-400", "Other upstream statuses from 402 to 499 are told as status 400.",
     _only([s for s in OTHER if 402 <= s <= 499], lambda t, c: t.replace(str(c), "400"))),
    (BREAK, "error-timeout-as-unexpected", "A timeout is told as an unexpected error.",
     _only(["timeout"], lambda t, c: "Error: Unexpected error: UpstreamTimeout.")),
    (BREAK, "error-timeout-without-advice", "The text for a timeout does not say to try again.",
     _only(["timeout"], lambda t, c: "Error: Request timed out.")),
    (BREAK, "error-timeout-empty", "The text for a timeout is Error: and nothing more.", _only(["timeout"], lambda t, c: "Error:")),
    (BREAK, "error-unexpected-without-type", "The text for an unexpected error does not name its type.",
     _only(["unexpected"], lambda t, c: "Error: An unexpected error occurred.")),
    (BREAK, "error-unexpected-as-timeout", "When the upstream closes the connection, the tool says that the request timed out.",
     _only(["unexpected"], lambda t, c: "Error: Request timed out. Try again.")),
    (BREAK, "error-unexpected-traceback", "An unexpected error is told as a traceback, without the prefix Error:.",
     lambda text, cause, error, call: "".join(traceback.format_exception(error)) if cause == "unexpected" else text),
    (BREAK, "error-prefix-lower-case", "Failure texts begin with error: in lower case.",
     lambda text, cause, error, call: "e" + text[1:]),
    (BREAK, "error-prefix-names-tool", "Failure texts begin with the name of the tool, before Error:.",
     lambda text, cause, error, call: f"{call.tool.name}: {text}"),
    (BREAK, "error-as-json-in-json", "With response_format json, a failure is a JSON object with the member error.",
     lambda text, cause, error, call: '{"error": "%s"}' % text if call.args.get("response_format") == "json" else text),
    (BREAK, "error-one-text-for-all", "Every failure has the same text: Error: Something went wrong.",
     lambda text, cause, error, call: "Error: Something went wrong."),
    (BREAK, "error-repeats-first-text", "The second and later failures of a session repeat the text of the first failure.",
     lambda text, cause, error, call: call.session.memory.setdefault("first failure", text)),
    (BREAK, "error-vague-from-third", "From the third failure of the server on, the text is Error: Request failed.",
     lambda text, cause, error, call: "Error: Request failed." if nth("failures") >= 3 else text),
    (BREAK, "error-prefix-lost-over-sse", "Over the HTTP+SSE transport, failure texts lack the prefix Error:.",
     lambda text, cause, error, call: text.removeprefix("Error: ") if call.session.transport == "sse" else text),
    (BREAK, "error-404-as-rpc-error", "Upstream 404 is answered as JSON-RPC error -32603.",
     lambda text, cause, error, call: _rpc_failure(cause, text) if cause == 404 else text),
    (BREAK, "error-500-as-rpc-error", "Upstream 500 and above are answered as JSON-RPC error -32603.",
     lambda text, cause, error, call: _rpc_failure(cause, text) if cause in range(500, 600) else text),
    (BREAK, "error-closed-as-rpc-error", "When the upstream closes the connection, the answer is JSON-RPC error -32603.",
     lambda text, cause, error, call: _rpc_failure(cause, text) if cause == "unexpected" else text),
)
table(
    "failure result", WHERE,
    (CHOICE, "errors-without-flag", "A failed tool's result does not carry isError; its text begins with Error:.",
     lambda result, cause: {key: value for key, value in result.items() if key != "isError"}),
    (BREAK, "error-404-as-empty", "Upstream 404 is answered as a success with an empty text.",
     lambda result, cause: {"content": [{"type": "text", "text": ""}]} if cause == 404 else result),
    (BREAK, "error-403-as-no-content", "Upstream 403 is answered as isError with no content at all.",
     lambda result, cause: result | {"content": []} if cause == 403 else result),
    (BREAK, "error-flag-as-text", "A failed tool's result carries isError as the string true.",
     lambda result, cause: result | {"isError": "true"}),
)


def failure_result(call, error):
    """The result of a tool that raised this error."""
    if isinstance(error, UpstreamStatus):
        cause = error.status
        text = STATUS_TEXTS.get(cause, f"Error: API request failed with status {cause}.")
    elif isinstance(error, UpstreamTimeout):
        cause, text = "timeout", "Error: Request timed out. Try again."
    elif isinstance(error, ToolError):
        cause, text = "told", f"Error: {error}"
    else:
        cause, text = "unexpected", f"Error: Unexpected error: {type(error).__name__}."
    text = twist("failure text", text, cause, error, call)
    return twist("failure result", {"content": [{"type": "text", "text": text}], "isError": True}, cause)
