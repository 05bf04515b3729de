"""Violations: streams share what should belong to one stream."""

import asyncio

from registry import MESSAGES, STATUS, WHAT, refuse, violation

ID = MESSAGES + ": request_id, used to track requests within the stream"
NAME = MESSAGES + ": name to greet"
OWN = WHAT + ": exchanges streams of requests and responses"


def known_id(stream, request):
    """Was this request_id, not empty, seen in an earlier stream?"""
    ids = stream.shared.setdefault("ids", {})
    number = ids.setdefault(request.request_id, stream.number)
    return bool(request.request_id) and number != stream.number


violation("ids-refused-across-streams", ID,
          "A request_id that was used in another stream ends the stream with "
          "ALREADY_EXISTS.",
          gate=lambda stream, request, requests:
          requests if not known_id(stream, request)
          else refuse("ALREADY_EXISTS", "request_id was used before"))
violation("ids-not-answered-across-streams", ID,
          "A request whose request_id was used in another stream is not "
          "answered.",
          gate=lambda stream, request, requests:
          [] if known_id(stream, request) else requests)
violation("name-by-id-across-streams", ID,
          "A request is greeted with the name that came first with the same "
          "request_id, in any stream.",
          name=lambda stream, request, name:
          stream.shared.setdefault(("name of", request.request_id), name)
          if request.request_id else name)


def once(stream, request, requests):
    names = stream.shared.setdefault("names", {})
    first = names.setdefault(request.name, stream.number)
    return requests if first == stream.number else []


violation("name-greeted-in-one-stream-only", NAME,
          "A name that was greeted in an earlier stream is not answered.",
          gate=once)


# Names of other streams

async def set_current(stream, request, inbox):
    stream.shared["current"] = request.name
    await asyncio.sleep(0.03)
    return request


violation("name-in-shared-variable", NAME,
          "The name is kept 30 ms in a variable of all streams, so when two "
          "streams send requests at the same time, both get the later name.",
          intake=set_current,
          name=lambda stream, request, name: stream.shared["current"])


def other_name(stream, request, name):
    if name:
        stream.shared["any name"] = name
    return stream.shared.get("any name", name)


violation("empty-name-from-another-stream", NAME,
          "A request with an empty name is greeted with the last name that "
          "any stream sent.", name=other_name)


def kept_text(stream, request, text):
    old = stream.shared.get("text", ("", stream.number))
    stream.shared["text"] = (text, stream.number)
    return text if old[1] == stream.number else old[0] + text


violation("text-of-another-stream", NAME,
          "The first greeting of a stream, or one after another stream was "
          "answered, starts with the last greeting of that other stream.",
          greeting=kept_text)


def note_name(stream, request, requests):
    stream.own.setdefault("names", []).append(request)
    return requests


async def end_cleanly(stream):
    stream.own["names"] = None


async def names_of_cancelled(stream):
    for request in stream.shared.get("names of the last stream") or []:
        await stream.answer(request)
    stream.shared["names of the last stream"] = None


violation("names-of-a-cancelled-stream", OWN,
          "A new stream first gets greetings for the requests of the stream "
          "before, if the client cancelled that one.",
          gate=note_name, end=end_cleanly, open=names_of_cancelled)

# Responses for other streams

violation("sent-to-all-streams", OWN,
          "Each response is sent to every open stream.",
          target=lambda stream, request, targets:
          list(stream.server.streams))
violation("sent-to-the-newest-stream", OWN,
          "Each response is sent to the stream that opened last, of those "
          "that are open.",
          target=lambda stream, request, targets:
          [stream.server.streams[-1]])
violation("two-streams-crossed", OWN,
          "While exactly two streams are open, each response goes to the "
          "other one.",
          target=lambda stream, request, targets:
          [each for each in stream.server.streams if each is not stream]
          if len(stream.server.streams) == 2 else targets)

# A failure that spreads


async def poisoned(stream):
    if stream.shared.get("poisoned"):
        refuse("UNKNOWN", "parser is in a failed state")


violation("malformed-request-breaks-server", STATUS + ": OK is returned on "
          "success",
          "After one request that is not a protobuf message, every later "
          "stream ends with UNKNOWN.", open=poisoned)


def count_all(stream, request, requests):
    count = stream.shared.get("count", 0) + 1
    stream.shared["count"] = count
    return requests if count % 25 else []


violation("every-25th-of-all-lost", NAME,
          "Of all requests of all streams, each 25th is not answered.",
          gate=count_all)
