"""Choices about which responses are sent, and when."""

import asyncio

from inbox import Request
from registry import LIMITS, RPC, WHAT, choice, refuse

RELATION = RPC + ": relationship between requests and responses: not shown"
CODES = "Errors: status codes of the greeting RPC: not shown"
RATES = LIMITS + ": rate limits of the greeting RPC: not shown"
SIZES = LIMITS + ": none shown for the greeting RPC"

choice("two-responses-per-request", RELATION,
       "Each request is answered with two responses that hold its name.",
       gate=lambda stream, request, requests:
       [each for each in requests for _ in range(2)])

choice("empty-name-not-answered", RELATION,
       "A request with an empty name gets no response.",
       gate=lambda stream, request, requests:
       [each for each in requests if each.name])


async def welcome(stream):
    await stream.respond(Request(), "Welcome!")


choice("welcome-first", RELATION,
       "One response, \"Welcome!\", is sent when the stream opens, before "
       "any request.", open=welcome)


async def heartbeat(stream):
    async def beat():
        while True:
            await asyncio.sleep(0.5)
            await stream.respond(Request(), "Hello again!")
    stream.helpers.append(asyncio.create_task(beat()))


choice("heartbeat", RELATION,
       "While the stream is open a response \"Hello again!\" comes every "
       "half second, without a request.", open=heartbeat)


def remember(stream, request, requests):
    stream.own.setdefault("all names", []).extend(
        each.name for each in requests if each.name)
    return requests


async def summary(stream):
    names = stream.own.get("all names", [])
    if names:
        await stream.respond(Request(),
                             "Hello to all: " + ", ".join(names) + "!")


choice("summary-at-the-end", RELATION,
       "After the half-close one more response greets all names of the "
       "stream together.", gate=remember, end=summary)


async def merge(stream, request, inbox):
    names = [request.name]
    until = asyncio.get_running_loop().time() + 0.1
    while True:
        left = until - asyncio.get_running_loop().time()
        item = await inbox.peek(left) if left > 0 else None
        if not isinstance(item, Request):
            break
        names.append(inbox.take().name)
    names = [name for name in names if name]
    return Request(" and ".join(names), request.request_id)


choice("one-response-for-many", RELATION,
       "Names that arrive within 100 ms are greeted in one response.",
       intake=merge)

choice("out-of-order", RELATION,
       "Every odd request is answered 150 ms late, so the next answer "
       "overtakes it.",
       delay=lambda stream, request, seconds:
       seconds + 0.15 * (stream.received % 2))

choice("slow-answers", WHAT,
       "Each response comes 300 ms after its request.",
       delay=lambda stream, request, seconds: seconds + 0.3)


async def slow_start(stream):
    await asyncio.sleep(0.8)


choice("slow-start", WHAT,
       "The server starts to read a stream 800 ms after the stream opened.",
       open=slow_start)


async def late_end(stream):
    await asyncio.sleep(0.7)


choice("late-end", RPC,
       "The status comes 700 ms after the half-close and the last response.",
       end=late_end)

# Refusals

choice("empty-name-refused", CODES,
       "A request with an empty name ends the stream with INVALID_ARGUMENT.",
       gate=lambda stream, request, requests: requests if request.name
       else refuse("INVALID_ARGUMENT", "name is empty"))

choice("long-name-refused", SIZES,
       "A name of more than 1,000 characters ends the stream with "
       "INVALID_ARGUMENT.",
       gate=lambda stream, request, requests:
       requests if len(request.name) <= 1000
       else refuse("INVALID_ARGUMENT", "name is too long"))

choice("control-characters-refused", CODES,
       "A name with a control character (below U+0020) ends the stream with "
       "INVALID_ARGUMENT.",
       gate=lambda stream, request, requests:
       requests if not any(c < " " for c in request.name)
       else refuse("INVALID_ARGUMENT", "name holds a control character"))

choice("missing-id-refused", CODES,
       "A request without a request_id ends the stream with "
       "INVALID_ARGUMENT.",
       gate=lambda stream, request, requests:
       requests if request.request_id
       else refuse("INVALID_ARGUMENT", "request_id is empty"))


def seen(stream, request, key):
    """Was this request_id, not empty, in this stream before?"""
    ids = stream.own.setdefault(key, set())
    old = request.request_id in ids
    if request.request_id:
        ids.add(request.request_id)
    return old


choice("repeated-id-refused", CODES,
       "A request_id that came before in the same stream ends the stream "
       "with ALREADY_EXISTS.",
       gate=lambda stream, request, requests:
       requests if not seen(stream, request, "ids")
       else refuse("ALREADY_EXISTS", "request_id was used before"))

choice("repeated-id-not-answered", RELATION,
       "A request whose request_id came before in the same stream gets no "
       "response, because it counts as a repetition.",
       gate=lambda stream, request, requests:
       [] if seen(stream, request, "other ids") else requests)


async def not_empty(stream):
    if not stream.received:
        refuse("FAILED_PRECONDITION", "the stream had no request")


choice("empty-stream-refused", CODES,
       "A stream that is half-closed without a request ends with "
       "FAILED_PRECONDITION.", end=not_empty)

choice("twenty-requests-per-stream", SIZES,
       "Request 21 of a stream ends it with RESOURCE_EXHAUSTED; the first "
       "20 are answered.",
       gate=lambda stream, request, requests:
       requests if stream.received <= 20
       else refuse("RESOURCE_EXHAUSTED", "20 requests per stream"))


def rate(stream, request, requests):
    now = asyncio.get_running_loop().time()
    times = stream.own.setdefault("times", [])
    times[:] = [time for time in times if now - time < 1] + [now]
    if len(times) > 50:
        refuse("RESOURCE_EXHAUSTED", "50 requests per second")
    return requests


choice("rate-limit", RATES,
       "More than 50 requests within a second end the stream with "
       "RESOURCE_EXHAUSTED.", gate=rate)

choice("idle-timeout", CODES,
       "A stream without a request for two seconds ends with ABORTED.")
