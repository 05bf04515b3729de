"""How a POST of the streamable HTTP transport is answered: with a stream, with JSON or with an HTTP error."""
import json
import time

import rpc
from events import event
from switches import BREAK, CHOICE, on, table, twist

WHERE = "MCP: Transports: streamable HTTP"

table(
    "stream headers", WHERE,
    (CHOICE, "streams-with-charset", "Event streams have the content type text/event-stream; charset=utf-8.",
     lambda headers: headers | {"Content-Type": "text/event-stream; charset=utf-8"}),
    (CHOICE, "streams-with-extra-headers", "Event streams carry X-Accel-Buffering and Access-Control headers.",
     lambda headers: headers | {"X-Accel-Buffering": "no", "Access-Control-Expose-Headers": "Mcp-Session-Id"}),
    (BREAK, "streams-as-plain-text", "Event streams have the content type text/plain.",
     lambda headers: headers | {"Content-Type": "text/plain"}),
    (BREAK, "streams-as-json", "Event streams have the content type application/json.",
     lambda headers: headers | {"Content-Type": "application/json"}),
)
table("", WHERE,
      (CHOICE, "answers-as-json", "Requests are answered with JSON; what else a call sends goes to an open GET stream only."),
      (CHOICE, "answers-as-json-when-alone", "Requests are answered with JSON when a call sends nothing else, with a stream otherwise."),
      (CHOICE, "json-answers-with-charset", "JSON bodies have the content type application/json; charset=utf-8."),
      (CHOICE, "error-bodies-as-text", "HTTP errors have a plain text body."),
      (CHOICE, "error-bodies-empty", "HTTP errors have no body."),
      (CHOICE, "error-bodies-without-id", "HTTP errors have a JSON-RPC error without id as body."),
      (CHOICE, "streams-end-late", "The stream of a POST stays open for 300 milliseconds after the answer."),
      (CHOICE, "streams-close-connection", "The stream of a POST is not chunked; it ends with the connection."),
      (CHOICE, "streams-begin-with-comment", "Streams begin with a comment."),
      (BREAK, "response-on-get-stream", "When a GET stream is open, responses to POST are sent there."),
      (BREAK, "notices-on-both-streams", "When a GET stream is open, notices of a call are sent on both streams."),
      (BREAK, "stream-ends-before-answer", "The stream of a call that sends notices ends after the first notice, without an answer."),
      (BREAK, "notice-after-answer", "In the stream of a POST, the first notice of a call comes after its answer."),
      (BREAK, "rpc-errors-as-500", "Responses that are JSON-RPC errors come with status 500."),
      (BREAK, "tool-failures-as-500", "A call whose result has isError comes with status 500 and a text body."),
      (BREAK, "answers-as-html", "Requests are answered with JSON of the content type text/html."))


class Reply:
    """The answer to a POST: a stream that opens with the first message, or JSON."""

    def __init__(self, handler, session, headers):
        self.handler, self.session, self.headers = handler, session, headers
        self.streaming, self.answered, self.held, self.ended = False, False, None, False

    def send(self, message):
        answers = isinstance(message, list) or "method" not in message
        if self.ended:
            return
        self.answered = self.answered or answers
        if on("answers-as-json") and not answers:
            if self.session.has_stream():
                self.session.send_apart(message)
        elif answers and not self.streaming and (on("answers-as-json") or on("answers-as-json-when-alone")):
            self.handler.answer_json(200, message, self.headers)
        elif answers and isinstance(message, dict) and self._as_500(message):
            self.handler.answer(500, "Internal Server Error", "text/plain")
        elif answers and on("response-on-get-stream") and self.session.has_stream():
            self.session.send_apart(message)
            self._write("")
        elif answers and not self.streaming and on("answers-as-html"):
            self.handler.answer(200, json.dumps(message), "text/html", self.headers)
        else:
            self._stream(message, answers)

    def _as_500(self, message):
        failed = message.get("result", {}).get("isError") is True
        return "error" in message and on("rpc-errors-as-500") or failed and on("tool-failures-as-500")

    def _stream(self, message, answers):
        if not answers and self.held is None and on("notice-after-answer"):
            self.held = message
            return
        if not answers and on("notices-on-both-streams") and self.session.has_stream():
            self.session.send_apart(message)
        self._write(event(message, self.session))
        if answers and self.held:
            self._write(event(self.held, self.session))
        if not answers and on("stream-ends-before-answer"):
            self.finish()
            self.ended = True

    def _write(self, text):
        if not self.streaming:
            self.streaming = True
            open_stream(self.handler, self.headers, chunked=not on("streams-close-connection"))
        if text:
            self.handler.stream_write(text)

    def finish(self):
        """End the stream; a call that was cancelled ends with a stream without an answer."""
        if not self.answered:
            self._write("")
        if self.streaming and not self.ended:
            if on("streams-end-late"):
                time.sleep(0.3)
            self.handler.stream_end()


def open_stream(handler, headers, chunked=True):
    head = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"} | headers
    handler.stream_start(twist("stream headers", head), chunked)
    if on("streams-begin-with-comment"):
        handler.stream_write(": welcome\n\n")


def refuse(handler, status, text):
    """Answer an HTTP error."""
    if on("error-bodies-empty"):
        handler.answer(status, "", None)
    elif on("error-bodies-as-text"):
        handler.answer(status, text, "text/plain")
    else:
        body = rpc.error_response(None, -32600, text)
        if on("error-bodies-without-id"):
            del body["id"]
        handler.answer_json(status, body)
