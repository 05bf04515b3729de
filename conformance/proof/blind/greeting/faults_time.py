"""Violations: server_timestamp is not the time of the response."""

from datetime import datetime, timedelta, timezone

from registry import MESSAGES, violation

TIME = MESSAGES + ": server time at which the response was generated"
STARTED = datetime.now(timezone.utc)


def time_fault(name, does, when=None, stamp=None):
    stages = {}
    if when:
        stages["when"] = lambda stream, request, now: when(stream, now)
    if stamp:
        stages["stamp"] = lambda stream, request, text: stamp(stream, text)
    violation("timestamp-" + name, TIME, does, **stages)


time_fault("empty", "The timestamp is empty in every response.",
           stamp=lambda stream, text: "")
time_fault("empty-every-tenth",
           "The timestamp is empty in the 10th, 20th ... response of a "
           "stream.",
           stamp=lambda stream, text: "" if stream.sent % 10 == 0 else text)
time_fault("of-server-start",
           "Every timestamp is the time at which the server started.",
           when=lambda stream, now: STARTED)
time_fault("of-stream-start",
           "Every timestamp of a stream is that of its first response.",
           when=lambda stream, now: stream.own.setdefault("start", now))
time_fault("zero", "Every timestamp is 1970-01-01T00:00:00.000000Z.",
           when=lambda stream, now: datetime.fromtimestamp(0, timezone.utc))


def previous(stream, now):
    old = stream.own.get("previous time", now)
    stream.own["previous time"] = now
    return old


time_fault("of-previous-response",
           "From the second response of a stream on, the timestamp is the "
           "time of the response before.", when=previous)


def across(stream, now):
    if stream.sent == 1:
        now, stream.shared["last time"] = (
            stream.shared.get("last time", now), now)
        return now
    stream.shared["last time"] = now
    return now


time_fault("of-earlier-stream",
           "The first response of a stream bears the time of the last "
           "response that the server sent in an earlier stream.",
           when=across)


def frozen(stream, now):
    if stream.sent <= 10:
        stream.own["tenth"] = now
    return stream.own["tenth"]


time_fault("stops-after-ten",
           "From the tenth response of a stream on, the timestamp does not "
           "change.", when=frozen)
time_fault("backwards",
           "Each timestamp of a stream is two seconds earlier than the clock "
           "for each response before it, so times run backwards.",
           when=lambda stream, now:
           now - timedelta(seconds=2 * (stream.sent - 1)))
time_fault("double-speed",
           "The clock of the server runs at double speed from its start on, "
           "so two responses one second apart bear times two seconds apart.",
           when=lambda stream, now: now + (now - STARTED))


def per_stamp(name, does, text):
    """The timestamp text is made from the time, wrongly."""
    violation("timestamp-" + name, TIME, does,
              stamp=lambda stream, request, old: text(stream.when))


per_stamp("month-for-minute",
          "The timestamp is ISO 8601 with the month where the minutes "
          "belong.",
          lambda when: when.strftime("%Y-%m-%dT%H:%m:%SZ"))
per_stamp("unpadded-milliseconds",
          "The milliseconds after the dot have no leading zeros (.7 for 7 "
          "ms), so within a second times run backwards.",
          lambda when: when.strftime("%Y-%m-%dT%H:%M:%S.")
          + str(when.microsecond // 1000) + "Z")
per_stamp("milliseconds-in-32-bits",
          "The timestamp is Unix milliseconds as a signed 32-bit number, so "
          "it has overflowed.",
          lambda when: str((int(when.timestamp() * 1000) + 2 ** 31)
                           % 2 ** 32 - 2 ** 31))
per_stamp("without-date-parts",
          "The timestamp is the text of a time format whose letters were not "
          "replaced: \"yyyy-MM-dd HH:mm:ss\".",
          lambda when: "yyyy-MM-dd HH:mm:ss")

violation("timestamp-is-the-request-id", TIME,
          "server_timestamp holds the request_id of the request.",
          stamp=lambda stream, request, text: request.request_id)
violation("timestamp-by-name", TIME,
          "A name that the server has greeted before, in any stream, gets "
          "the timestamp of the first time (a cache by name).",
          when=lambda stream, request, now:
          stream.shared.setdefault(("time of", request.name), now))
violation("timestamp-repeated-for-same-name", TIME,
          "A name that equals the previous one of the stream gets the "
          "timestamp of the previous response.",
          when=lambda stream, request, now: same_name(stream, request, now))


def same_name(stream, request, now):
    name, time = stream.own.get("name and time", (None, None))
    if name != request.name:
        stream.own["name and time"] = (request.name, now)
        return now
    return time
