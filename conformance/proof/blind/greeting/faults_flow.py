"""Violations: responses are lost, held back, or the stream ends wrongly."""

import asyncio

from inbox import END, Request
from registry import HTTP2, LIMITS, MESSAGES, PROTO, RPC, WHAT
from registry import refuse, violation

REAL_TIME = WHAT + ": for real-time exchange"
NAME = MESSAGES + ": name to greet"
ID = MESSAGES + ": request_id"
STREAMS = RPC + ": stream of GreetingRequest, stream of GreetingResponse"


def hold(name, where, does, ready):
    """Requests are held until the half-close, but ready(stream, held) says
    how many of them are answered at once."""
    def held(stream):
        return stream.own.setdefault(name, [])

    def gate(stream, request, requests):
        kept = held(stream)
        kept.extend(requests)
        count = ready(stream, kept)
        now, kept[:] = kept[:count], kept[count:]
        return now
    violation(name, where, does, gate=gate,
              flush=lambda stream, request, requests:
              requests + held(stream))


# Held back

hold("answers-at-half-close", REAL_TIME,
     "No response is sent before the client half-closes; then all are sent.",
     lambda stream, kept: 0)
hold("one-behind", REAL_TIME,
     "A response is sent when the next request comes, the last one at the "
     "half-close.",
     lambda stream, kept: len(kept) - 1)
hold("blocks-of-eight", REAL_TIME,
     "Responses are sent in blocks of eight, the rest at the half-close.",
     lambda stream, kept: len(kept) // 8 * 8)
hold("real-time-for-five-only", REAL_TIME,
     "From the sixth request on, responses are sent at the half-close.",
     lambda stream, kept: len(kept) if stream.received <= 5 else 0)
hold("real-time-for-first-stream-only", REAL_TIME,
     "In every stream but the first of the server, responses are sent at "
     "the half-close.",
     lambda stream, kept: len(kept) if stream.number == 1 else 0)
hold("buffer-of-4096-characters", REAL_TIME,
     "Responses are sent when their names hold 4,096 characters or more, "
     "the rest at the half-close.",
     lambda stream, kept: len(kept)
     if sum(len(each.name) for each in kept) >= 4096 else 0)


# Lost

def lose(name, where, does, lost):
    violation(name, where, does, gate=lambda stream, request, requests:
              [] if lost(stream, request) else requests)


lose("never-answers", STREAMS,
     "No response is sent; the stream ends with OK at the half-close.",
     lambda stream, request: True)
lose("first-lost", NAME,
     "The first request of each stream is not answered.",
     lambda stream, request: stream.received == 1)
lose("first-lost-in-later-streams", NAME,
     "The first request of each stream but the first stream of the server "
     "is not answered.",
     lambda stream, request: stream.received == 1 and stream.number > 1)
lose("tenth-lost", NAME,
     "The 10th, 20th ... request of a stream is not answered.",
     lambda stream, request: stream.received % 10 == 0)
lose("stalls-after-65536-bytes", STREAMS,
     "When a stream has sent 65,536 bytes of responses, it answers no more.",
     lambda stream, request: stream.bytes_sent >= 65536)
lose("long-name-lost", NAME,
     "A request with a name of more than 16,384 bytes is not answered.",
     lambda stream, request: len(request.name.encode()) > 16384)


def again_without_id(stream, request):
    ids = stream.own.setdefault("seen ids", set())
    again = request.request_id in ids
    if not request.request_id:
        ids.add(request.request_id)
    return again


lose("empty-ids-count-as-one", ID,
     "Requests without a request_id count as repetitions: only the first one "
     "of a stream is answered.", again_without_id)


def after_pause(stream, request):
    now = asyncio.get_running_loop().time()
    before = stream.own.get("last arrival", now)
    stream.own["last arrival"] = now
    return now - before > 1


lose("lost-after-a-pause", NAME,
     "A request that comes more than one second after the one before is not "
     "answered.", after_pause)


async def quick_close(stream, request, inbox):
    following = await inbox.peek(0.05)
    return None if following is END else request


violation("last-lost-on-quick-close", NAME,
          "A request that is followed by the half-close within 50 ms is not "
          "answered.", intake=quick_close)


async def pause(stream, request, inbox):
    await asyncio.sleep(0.005)
    return request


violation("burst-drops", NAME,
          "Each answer takes 5 ms; requests that arrive while 16 others wait "
          "are not answered.", intake=pause)


async def latest(stream, request, inbox):
    await asyncio.sleep(0.02)
    while inbox.items and isinstance(inbox.items[0], Request):
        request = inbox.take()
    return request


violation("only-latest-answered", NAME,
          "Of the requests that arrive within 20 ms only the latest is "
          "answered.", intake=latest)

violation("only-last-answered", STREAMS,
          "One response is sent, at the half-close, for the last request, "
          "as if the output were not a stream.",
          gate=lambda stream, request, requests:
          stream.own.update(last=request) or [],
          flush=lambda stream, request, requests:
          [stream.own["last"]] if "last" in stream.own else requests)


# The end of the stream

async def only_one(stream, request, inbox):
    await stream.schedule(request)
    refuse("OK", "")


violation("one-request-only", STREAMS,
          "The stream ends with OK after the answer to the first request, as "
          "a unary RPC does.", intake=only_one)


async def hang(stream):
    await asyncio.Event().wait()


async def hang_when_empty(stream):
    if not stream.received:
        await hang(stream)


violation("never-ends", HTTP2 + "Responses, Trailers",
          "After the half-close and all responses no status comes.", end=hang)
violation("empty-stream-never-ends", HTTP2 + "Responses, Trailers",
          "A stream that is half-closed without a request gets no status.",
          end=hang_when_empty)
violation("ends-after-100-requests", LIMITS,
          "After 100 answered requests the stream ends with OK, as if the "
          "limit parameter of tools held here.",
          gate=lambda stream, request, requests:
          requests if stream.received <= 100
          else refuse("OK", ""))


def blank_is_end(stream, request, requests):
    if request.blank:
        refuse("OK", "")
    return requests


violation("empty-message-ends-stream", PROTO + "Default values",
          "A request message of zero bytes (both fields empty) is taken for "
          "the end of the stream, which ends with OK.", gate=blank_is_end)

# The request_id


def number_only(stream, request, requests):
    if request.request_id and not request.request_id.isdigit():
        refuse("INVALID_ARGUMENT", "request_id is not a number")
    return requests


violation("id-must-be-a-number", ID + " is a string",
          "A request_id that is not a number ends the stream with "
          "INVALID_ARGUMENT.", gate=number_only)


def ascii_only(stream, request, requests):
    try:
        request.request_id.encode("ascii")
    except UnicodeEncodeError:
        refuse("UNKNOWN", "illegal header value")
    return requests


violation("non-ascii-id-fails", ID + " is a string",
          "A request_id with a non-ASCII character ends the stream with "
          "UNKNOWN.", gate=ascii_only)
