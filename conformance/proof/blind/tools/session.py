"""One client's session, and the context that a tool call gets."""
import itertools
import threading

import clock
import resources
from data import REGISTER, SERVER_NAME
from switches import BREAK, CHOICE, on, table, twist

LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
ANSWER_SECONDS = 120


class Session:
    """What the server knows about one client; send(message) reaches it outside of any request."""

    def __init__(self, transport, send):
        self.transport, self.send = transport, send
        self.version, self.ready = None, False
        self.client = {}
        self.log_level = None
        self.memory = {}
        self.running = {}
        self._waiting, self._numbers = {}, itertools.count(1)

    def can_ask(self):
        """Whether a request of the server can reach the client during a call."""
        return True

    def ask(self, send, method, params):
        """Send a request to the client and wait for its answer."""
        number = 1 if on("elicitation-ids-reused") else next(self._numbers)
        key = number if on("server-ids-numeric") else f"server-{number}"
        waiting = self._waiting[key] = [threading.Event(), None]
        send({"jsonrpc": "2.0", "id": key, "method": method, "params": params})
        if not clock.wait(waiting[0], ANSWER_SECONDS):
            raise TimeoutError("the client did not answer")
        return waiting[1]

    def take_answer(self, message):
        """Hand an answer of the client to the request that waits for it."""
        waiting = self._waiting.pop(message.get("id"), None)
        if waiting:
            waiting[1] = message
            waiting[0].set()


class ElicitationFailed(Exception):
    """The client answered the question with an error."""


def _at_step(number, change):
    return lambda params, call: change(params) if call.steps == number else params


table(
    "progress", "MCP: Progress",
    (CHOICE, "progress-in-steps", "Progress counts the steps done, and total is the number of steps.",
     lambda params, call: params | {"progress": call.steps, "total": call.args.get("stations", 4)}),
    (CHOICE, "progress-without-total", "Progress is a fraction without total.",
     lambda params, call: {key: value for key, value in params.items() if key != "total"}),
    (BREAK, "progress-decreases", "Progress values fall from 1 towards 0.",
     lambda params, call: params | {"progress": 1.25 - params["progress"]}),
    (BREAK, "progress-dips-at-third-step", "The third progress value is lower than the second.",
     _at_step(3, lambda params: params | {"progress": 0.01})),
    (BREAK, "progress-stands-still", "All progress values are 0.5.", lambda params, call: params | {"progress": 0.5}),
    (BREAK, "progress-as-text", "Progress values are strings such as 25%.",
     lambda params, call: params | {"progress": f"{params['progress']:.0%}"}),
    (BREAK, "progress-token-as-text", "A numeric progress token comes back as a string.",
     lambda params, call: params | {"progressToken": str(params["progressToken"])}),
    (BREAK, "progress-token-of-request", "Progress carries the id of the request in place of the token.",
     lambda params, call: params | {"progressToken": call.request_id}),
    (BREAK, "progress-token-of-first-call", "Every call of a session carries the progress token of the first one.",
     lambda params, call: params | {
         "progressToken": call.session.memory.setdefault("first token", params["progressToken"])}),
    (BREAK, "progress-token-absent", "Progress lacks the token.",
     lambda params, call: {key: value for key, value in params.items() if key != "progressToken"}),
)
table("", "MCP: Progress",
      (CHOICE, "progress-not-reported", "No progress is reported."),
      (BREAK, "progress-without-request", "Progress is reported with the token 0 when the request has no token."),
      (BREAK, "progress-after-response", "Over stdio and HTTP+SSE, a call with a token is followed by one more progress notice."))
table("progress", "Tool context capabilities",
      (BREAK, "progress-without-message", "Progress lacks the message.",
       lambda params, call: {key: value for key, value in params.items() if key != "message"}))
table(
    "log", "MCP: Logging",
    (CHOICE, "log-without-logger", "Log notices have no logger name.",
     lambda params, call: {key: value for key, value in params.items() if key != "logger"}),
    (CHOICE, "log-data-as-object", "The data of log notices is an object with message and tool.",
     lambda params, call: params | {"data": {"message": params["data"], "tool": call.tool.name}}),
    (BREAK, "log-level-unknown", "Log notices of level error have the level err.",
     lambda params, call: params | {"level": "err"} if params["level"] == "error" else params),
    (BREAK, "log-level-in-capitals", "Log levels are in capitals.", lambda params, call: params | {"level": params["level"].upper()}),
    (BREAK, "log-without-level", "Log notices have no level.",
     lambda params, call: {key: value for key, value in params.items() if key != "level"}),
    (BREAK, "log-without-data", "Log notices have message in place of data.",
     lambda params, call: {"level": params["level"], "message": params["data"]}),
)
table("", "MCP: Logging",
      (CHOICE, "log-debug-by-default", "Until a level is set, all log notices are sent."),
      (CHOICE, "log-nothing-by-default", "Until a level is set, no log notices are sent."),
      (BREAK, "log-ignores-level", "All log notices are sent, whatever level was set."),
      (BREAK, "log-drops-equal-level", "Log notices of the very level that was set are not sent."),
      (BREAK, "log-level-set-once", "Only the first level that a session sets takes effect."),
      (BREAK, "log-notices-have-ids", "Log notices carry an id, as if they were requests."))
table("", "Tool context capabilities",
      (BREAK, "state-not-shared", "Notes are kept for each session on its own: another session does not see them."),
      (BREAK, "context-server-name-differs", "The tool that describes the server names it server, unlike serverInfo."))


class Call:
    """One tool call: its arguments and what a tool may do besides answering."""

    def __init__(self, session, tool, given, send, request_id, token):
        self.session, self.tool, self.given, self.send = session, tool, given, send
        self.request_id, self.token = request_id, token
        self.args = dict(given)
        self.cancelled, self.structured, self.steps = False, None, 0

    @property
    def server_name(self):
        return "server" if on("context-server-name-differs") else SERVER_NAME

    @property
    def register(self):
        """The state shared by all requests."""
        if on("state-not-shared"):
            return self.session.memory.setdefault("register", type(REGISTER)())
        return REGISTER

    def progress(self, fraction, message):
        self.steps += 1
        token = self.token
        if token is None and on("progress-without-request"):
            token = 0
        if token is None or on("progress-not-reported"):
            return
        params = {"progressToken": token, "progress": fraction, "total": 1.0, "message": message}
        self._notify("notifications/progress", twist("progress", params, self))

    def log(self, level, text):
        wanted = self.session.log_level or ("debug" if on("log-debug-by-default") else "info")
        if self.session.log_level is None and on("log-nothing-by-default") or on("logging-absent"):
            return
        distance = LEVELS.index(level) - LEVELS.index(wanted)
        if (distance < 0 or distance == 0 and self.session.log_level and on("log-drops-equal-level")) \
                and not on("log-ignores-level"):
            return
        params = twist("log", {"level": level, "logger": "lighthouse", "data": text}, self)
        extra = {"id": self.steps} if on("log-notices-have-ids") else {}
        self._notify("notifications/message", params, **extra)

    def _notify(self, method, params, **extra):
        if not self.cancelled:
            self.send({"jsonrpc": "2.0", **extra, "method": method, "params": params})

    def elicit(self, message, schema):
        """Ask the user; return the action and the content. None when the client cannot ask."""
        able = "elicitation" in self.session.client and self.session.version == "2025-06-18" and self.session.can_ask()
        if not able and not on("elicitation-without-capability"):
            return None
        params = twist("elicitation", {"message": message, "requestedSchema": schema})
        if on("elicitation-as-notice"):
            self._notify("elicitation/create", params)
            return {"action": "accept", "content": {}}
        answer = self.session.ask(self.send, "elicitation/create", params)
        if "result" not in answer:
            raise ElicitationFailed(answer.get("error"))
        return twist("elicitation answer", answer["result"], self)

    def read_resource(self, uri):
        return resources.text_of(uri)


WHERE = "MCP: Elicitation"
table(
    "elicitation", WHERE,
    (CHOICE, "elicitation-asks-name-only", "The booking asks for the visitor's name only.",
     lambda params: params | {"requestedSchema": {"type": "object", "required": ["visitor_name"], "properties": {
         "visitor_name": params["requestedSchema"]["properties"]["visitor_name"]}}}),
    (CHOICE, "elicitation-asks-optional-enum", "The booking also asks for an optional time of day, an enum.",
     lambda params: params | {"requestedSchema": params["requestedSchema"] | {
         "properties": params["requestedSchema"]["properties"] | {
             "time_of_day": {"type": "string", "enum": ["morning", "evening"], "enumNames": ["Morning", "Evening"]}}}}),
    (BREAK, "elicitation-nested-schema", "The requested schema nests an object in an object.",
     lambda params: params | {"requestedSchema": {"type": "object", "properties": {"visit": params["requestedSchema"]}}}),
    (BREAK, "elicitation-array-schema", "The requested schema has a property of type array.",
     lambda params: params | {"requestedSchema": params["requestedSchema"] | {
         "properties": params["requestedSchema"]["properties"] | {"days": {"type": "array", "items": {"type": "string"}}}}}),
    (BREAK, "elicitation-without-message", "The question to the user has no message.",
     lambda params: {"requestedSchema": params["requestedSchema"]}),
    (BREAK, "elicitation-schema-misnamed", "The question to the user has schema in place of requestedSchema.",
     lambda params: {"message": params["message"], "schema": params["requestedSchema"]}),
)
table(
    "elicitation answer", WHERE,
    (BREAK, "elicitation-answer-ignored", "The user's content is ignored: a guest is booked.",
     lambda answer, call: answer | {"content": {}} if answer.get("action") == "accept" else answer),
    (BREAK, "elicitation-decline-accepted", "A declined question is taken as accepted.",
     lambda answer, call: answer | {"action": "accept"} if answer.get("action") == "decline" else answer),
    (BREAK, "elicitation-cancel-accepted", "A cancelled question is taken as accepted.",
     lambda answer, call: answer | {"action": "accept"} if answer.get("action") == "cancel" else answer),
    (BREAK, "elicitation-first-answer-kept", "Later bookings of a session use the user's first answer.",
     lambda answer, call: call.session.memory.setdefault("first answer", answer)),
)
table("", WHERE,
      (CHOICE, "server-ids-numeric", "The ids of the server's own requests are numbers."),
      (CHOICE, "elicitation-refusal-is-failure", "A declined or cancelled question ends the tool as a failure with Error:."),
      (BREAK, "elicitation-ids-reused", "All requests of the server in a session have the same id."),
      (BREAK, "elicitation-without-capability", "The user is asked though the client did not declare elicitation."),
      (BREAK, "elicitation-as-notice", "The question to the user has no id, and its answer is not awaited."))
