"""Server-sent events: how a message becomes an event, and streams that carry events."""
import json
import queue
import select
import socket

from switches import BREAK, CHOICE, nth, on, table, twist


def _data(change):
    """A change of the data of an event that carries a message."""
    return lambda fields, message, session: [
        (name, change(value) if name == "data" else value) for name, value in fields]


def _pretty(message):
    return json.dumps(message, ensure_ascii=False, indent=1).split("\n")


WHERE = "Server-sent events"

table(
    "event fields", WHERE,
    (CHOICE, "events-with-ids", "Events carry ids that are unique in the server.",
     lambda fields, message, session: [("id", f"{nth('events'):06}")] + fields),
    (CHOICE, "events-without-name", "Events with messages have no event field.",
     lambda fields, message, session: [f for f in fields if f != ("event", "message")]),
    (CHOICE, "events-with-retry", "Events carry a retry field.", lambda fields, message, session: fields + [("retry", "3000")]),
    (CHOICE, "events-data-first", "Events have the data field before the event field.",
     lambda fields, message, session: fields[::-1]),
    (CHOICE, "events-data-in-lines", "The JSON of an event is spread over several data fields.",
     lambda fields, message, session: fields[:-1] + [("data", line) for line in _pretty(message)]),
    (CHOICE, "events-ascii-only", "Non-ASCII characters are escaped in the JSON of events.",
     lambda fields, message, session: fields[:-1] + [("data", json.dumps(message))]),
    (CHOICE, "events-with-unknown-field", "Events carry a field that the standard does not know and that is ignored.",
     lambda fields, message, session: fields + [("source", "register")]),
    (BREAK, "events-data-in-capitals", "The data field of events is called Data.",
     lambda fields, message, session: [("Data" if name == "data" else name, value) for name, value in fields]),
    (BREAK, "events-with-prefixed-json", "The data of events has the text json before the JSON.", _data(lambda v: "json " + v)),
    (BREAK, "events-without-data", "Responses that are errors come as events without data.",
     lambda fields, message, session: fields[:1] if "error" in message else fields),
)
table(
    "event fields", "MCP: Transports: HTTP+SSE",
    (BREAK, "events-named-response", "Over HTTP+SSE, responses come as events named response, not message.",
     lambda fields, message, session: [("event", "response")] + fields[1:]
     if session.transport == "sse" and "result" in message else fields),
)
table(
    "event fields", "MCP: Transports: streamable HTTP",
    (BREAK, "event-ids-repeated", "All events of a session carry the same id.",
     lambda fields, message, session: [("id", "1")] + fields),
)
table(
    "event text", WHERE,
    (CHOICE, "events-without-space", "There is no space after the colon of event fields.",
     lambda text, message: "\n".join(line.replace(": ", ":", 1) for line in text.split("\n"))),
    (CHOICE, "events-with-crlf", "Lines of events end with CR LF.", lambda text, message: text.replace("\n", "\r\n")),
    (CHOICE, "events-with-comments", "Each event is preceded by a comment line.", lambda text, message: ": register\n" + text),
    (CHOICE, "events-with-empty-lines", "Events are followed by two more empty lines.", lambda text, message: text + "\n\n"),
    (BREAK, "events-without-empty-line", "Events do not end with an empty line.", lambda text, message: text[:-1]),
    (BREAK, "events-with-raw-line-breaks", "The JSON of an event is spread over several lines of which the first only begins with data.",
     lambda text, message: text if message is None else "event: message\ndata: " + "\n".join(_pretty(message)) + "\n\n"),
    (BREAK, "long-events-split", "Messages longer than 8,000 characters are split into two events.",
     lambda text, message: text if len(text) < 8000 else text[:8000] + "\n\ndata: " + text[8000:]),
    (BREAK, "long-events-with-line-break", "The data of events longer than 8,000 characters has a raw line break in it.",
     lambda text, message: text if len(text) < 8000 else text[:4000] + "\n" + text[4000:]),
    (BREAK, "events-separated-by-semicolons", "Events are one line each, with semicolons between the fields.",
     lambda text, message: text.rstrip("\n").replace("\n", "; ") + "\n\n"),
)
table("", WHERE,
      (CHOICE, "streams-keep-alive", "Open streams carry a comment every 100 milliseconds."),
      (BREAK, "streams-in-latin-1", "Streams are written in Latin-1, not UTF-8."))


def event(message, session):
    """The text of the event that carries a message."""
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    fields = twist("event fields", [("event", "message"), ("data", data)], message, session)
    text = "".join(f"{name}: {value}\n" for name, value in fields) + "\n"
    return twist("event text", text, message)


class Stream:
    """A long stream of events to one client, fed by any thread."""

    def __init__(self):
        self._queue = queue.Queue()
        self.open = True

    def put(self, text):
        self._queue.put(text)

    def close(self):
        self._queue.put(None)

    def pump(self, handler):
        """Write what is put, until the stream is closed here or by the client."""
        pause = 0.1 if on("streams-keep-alive") else 0.25
        try:
            while True:
                try:
                    text = self._queue.get(timeout=pause)
                except queue.Empty:
                    if _hung_up(handler.connection):
                        return
                    if on("streams-keep-alive"):
                        handler.stream_write(": still here\n\n")
                    continue
                if text is None:
                    handler.stream_end()
                    return
                handler.stream_write(text)
        except OSError:
            pass
        finally:
            self.open = False
            handler.close_connection = True


def _hung_up(connection):
    readable, _, _ = select.select([connection], [], [], 0)
    try:
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True
