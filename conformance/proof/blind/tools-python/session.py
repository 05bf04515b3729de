"""Sessions, and the context that a tool gets."""
import json
import threading
import time
import uuid

import resources
import tooldefs
from switches import on

LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
SHARED = {"level": None}  # used by loglevel-global
SESSIONS = {}             # live HTTP sessions by id
LOCK = threading.Lock()


class Unsupported(Exception):
    """The client did not declare what the tool needs."""


def meta():
    return {"_meta": {"museum.example/server": "1"}} if on("extra-result-members") else {}


class Session:
    def __init__(self, session_id, ephemeral=False):
        self.id = session_id
        self.ephemeral = ephemeral      # lives for one request; cannot be logged to or asked
        self.state = "new"              # new, initializing, ready
        self.capabilities = {}
        self.level = None
        self.inflight = {}
        self.pending = {}
        self.subscriptions = set()
        self.push = None                # sends a message outside any request, if a way is open
        self.counter = 0
        self.last_format = None
        self.last_token = None
        self.seen_calls = set()
        self.lock = threading.Lock()

    def next_id(self):
        with self.lock:
            self.counter += 1
            return str(uuid.uuid4()) if on("uuid-request-ids") else self.counter

    def set_level(self, level):
        self.level = level
        SHARED["level"] = level

    def wants(self, level):
        chosen = SHARED["level"] if on("loglevel-global") else self.level
        if chosen is None:
            return not on("quiet-until-setlevel")
        if on("loglevel-alphabetical"):
            return level >= chosen
        if on("error-logs-lost") and level == chosen == "error":
            return False
        if on("loglevel-exclusive"):
            return LEVELS.index(level) > LEVELS.index(chosen)
        return LEVELS.index(level) >= LEVELS.index(chosen)

    def answered(self, message):
        """A response of the client to a request of ours."""
        key = message.get("id")
        if isinstance(key, bool) or not isinstance(key, (int, str)):
            return
        holders = [self]
        if on("elicit-answer-any-session"):
            with LOCK:
                holders += list(SESSIONS.values())
        for holder in holders:
            with holder.lock:
                slot = holder.pending.pop(key, None)
            if slot:
                slot["message"] = message
                slot["event"].set()
                return


def flight_key(request_id):
    return str(request_id) if on("cancel-id-type-blind") else (type(request_id).__name__, request_id)


class Context:
    """Progress, logs, elicitation, resources, the server's name: for one call."""

    def __init__(self, session, request, send, plain_line=None):
        self.session, self.send, self.plain_line = session, send, plain_line
        self.server_name = tooldefs.SERVER_NAME
        self.cancelled = threading.Event()
        self.request_id = request["id"]
        params = request.get("params") or {}
        given = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
        token = given.get("progressToken")
        if isinstance(token, bool) or not isinstance(token, (int, float, str)):
            token = None
        if token is not None:
            session.last_token = token
        elif on("progress-without-token"):
            token = self.request_id
        self.token = token
        self.progressed = None

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def progress(self, step, steps, message):
        if self.token is None:
            return
        token = self.session.last_token if on("progress-token-last-seen") else self.token
        if on("progress-token-stringified"):
            token = str(token)
        if on("progress-repeats-value") and step == steps and steps > 1:
            step -= 1
        params = {"progressToken": token, "progress": round(step / steps, 6), "total": 1.0, "message": message}
        if on("progress-steps"):
            params.update(progress=step, total=steps)
        if on("progress-no-total"):
            del params["total"]
        params.update(meta())
        self.progressed = params
        self.notify("notifications/progress", params)

    def after(self):
        """Called when the response has been sent."""
        if self.progressed and on("progress-after-response"):
            self.notify("notifications/progress", dict(self.progressed, progress=self.progressed["progress"] + 1))

    def log(self, level, message):
        if self.session.ephemeral or not self.session.wants(level):
            return
        if on("debug-logged-as-info") and level == "debug":
            level = "info"
        params = {"level": level, "logger": self.server_name, "data": message}
        if on("log-without-logger"):
            del params["logger"]
        if on("log-data-object"):
            params["data"] = {"message": message}
        params.update(meta())
        self.notify("notifications/message", params)
        if on("messages-doubled-on-get-stream") and self.session.push:
            self.session.push({"jsonrpc": "2.0", "method": "notifications/message", "params": params})

    def read_resource(self, uri):
        found = resources.read(uri, self.session.id)
        return json.loads(found[1]) if found else None

    def elicit(self, message, schema):
        session = self.session
        able = "elicitation" in session.capabilities or on("elicit-without-capability")
        if session.ephemeral or not able:
            raise Unsupported()
        key, slot = session.next_id(), {"event": threading.Event()}
        with session.lock:
            session.pending[key] = slot
        self.send({"jsonrpc": "2.0", "id": key, "method": "elicitation/create",
                   "params": {"message": message, "requestedSchema": schema}})
        end = time.monotonic() + 60
        while not slot["event"].wait(0.1):
            if self.cancelled.is_set() or time.monotonic() > end:
                with session.lock:
                    session.pending.pop(key, None)
                if self.cancelled.is_set():
                    from tools import Cancelled
                    raise Cancelled()
                raise TimeoutError()
        answer = slot["message"]
        if "error" in answer or not isinstance(answer.get("result"), dict):
            raise Unsupported()
        result = answer["result"]
        if not isinstance(result.get("content"), dict):
            result.pop("content", None)
        return result
