"""The stdio transport: one JSON message per line."""
import json
import sys
import threading

import rpc
from session import Session
from switches import BREAK, CHOICE, on, table, twist

table(
    "line", "MCP: Transports: stdio",
    (CHOICE, "stdio-ascii-only", "Over stdio, non-ASCII characters are escaped in JSON.",
     lambda line, message: json.dumps(message)),
    (CHOICE, "stdio-spaced-json", "Over stdio, JSON has spaces after commas and colons.",
     lambda line, message: json.dumps(message, ensure_ascii=False)),
    (BREAK, "stdio-pretty-json", "Over stdio, messages are indented over several lines.",
     lambda line, message: json.dumps(message, ensure_ascii=False, indent=1)),
    (BREAK, "stdio-pretty-errors", "Over stdio, only messages with an error are spread over several lines.",
     lambda line, message: json.dumps(message, indent=1) if "error" in message else line),
    (BREAK, "stdio-long-lines-split", "Over stdio, lines longer than 16,000 characters are split by a line break.",
     lambda line, message: line if len(line) <= 16000 else line[:16000] + "\n" + line[16000:]),
    (BREAK, "stdio-content-length", "Over stdio, each message is preceded by a Content-Length header.",
     lambda line, message: f"Content-Length: {len(line.encode())}\r\n\r\n{line}"),
)
table("", "MCP: Transports: stdio",
      (CHOICE, "stdio-logs-on-stderr", "Over stdio, the server writes a line to stderr for each message."),
      (BREAK, "stdio-banner", "Over stdio, the first line on stdout is plain text."),
      (BREAK, "stdio-prints-on-call", "Over stdio, each tool call also prints a line of plain text on stdout."),
      (BREAK, "stdio-latin-1", "Over stdio, messages are written in Latin-1, not UTF-8."))

_lock = threading.Lock()


def _write(text):
    encoding = "latin-1" if on("stdio-latin-1") else "utf-8"
    with _lock:
        sys.stdout.buffer.write(text.encode(encoding, "replace") + b"\n")
        sys.stdout.buffer.flush()


def _send(message):
    line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    _write(twist("line", line, message))


def run():
    """Serve until stdin closes."""
    session = Session("stdio", _send)
    if on("stdio-banner"):
        _write("Lighthouse register 1.0.0 is ready.")
    workers = []
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            response = rpc.parse_error(session)
            if response is not None:
                _send(response)
            continue
        if on("stdio-logs-on-stderr"):
            print("received a message", file=sys.stderr, flush=True)
        if rpc.is_slow(message):
            if on("stdio-prints-on-call"):
                _write("Calling a tool ...")
            worker = threading.Thread(target=rpc.serve, args=(session, message, _send), daemon=True)
            worker.start()
            workers = [w for w in workers if w.is_alive()] + [worker]
        else:
            rpc.serve(session, message, _send)
    for worker in workers:
        worker.join(0.5)
