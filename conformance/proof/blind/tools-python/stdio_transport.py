"""stdio: one message a line, nothing else on stdout."""
import json
import sys
import threading

import protocol
import session as sessions
import tooldefs
from session import Session
from switches import on

LOCK = threading.Lock()
KNOWN = {"notifications/initialized", "notifications/cancelled", "notifications/progress",
         "notifications/roots/list_changed"}
# Only these may take long; everything else is answered in order.
SLOW = {"upstream", "check", "loan"}


def write_line(text):
    encoding = "utf-8"
    if on("stdio-latin1"):
        try:
            text.encode("latin-1")
            encoding = "latin-1"
        except UnicodeEncodeError:
            pass
    with LOCK:
        sys.stdout.buffer.write(text.encode(encoding) + b"\n")
        sys.stdout.buffer.flush()


def send(message):
    write_line(protocol.dump(message, 2 if "error" in message and on("stdio-multiline-errors") else None))


def serve(session, message):
    response, after = protocol.handle(session, message, send, write_line)
    if response is not None:
        send(response)
    if after:
        after()


def slow(message):
    if message["method"] != "tools/call":
        return False
    if on("stdio-parallel"):
        return True
    params = message.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    tool = tooldefs.by_name(name) if isinstance(name, str) else None
    return tool is not None and tool["key"] in (SLOW - {"check"} if on("stdio-serial") else SLOW)


def run():
    session = Session("stdio")
    session.push = send
    sessions.SESSIONS["stdio"] = session
    workers = []
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        if on("stdio-stderr-chatter"):
            print(f"INFO received {len(line)} bytes", file=sys.stderr, flush=True)
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            send(protocol.parse_error())
            continue
        kind = protocol.kind(message)
        if kind is None:
            send(protocol.invalid_request(message))
        elif kind == "notification":
            if on("stdio-answers-notifications") and message["method"] not in KNOWN:
                send(protocol.error_message(None, -32601, "Method not found"))
            protocol.notified(session, message)
        elif kind == "response":
            session.answered(message)
        elif slow(message):
            worker = threading.Thread(target=serve, args=(session, message), daemon=True)
            workers.append(worker)
            worker.start()
        else:
            serve(session, message)
    for worker in workers:  # calls in flight may end, but not for long
        worker.join(2)
