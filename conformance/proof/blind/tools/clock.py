"""The server's clock, which a tester may move ahead of real time."""
import time

_offset = 0.0


def set_offset(seconds):
    global _offset
    _offset = float(seconds)


def now():
    """Seconds on a steady clock."""
    return time.monotonic() + _offset


def timestamp():
    """The time of day as an ISO 8601 text."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + _offset))


def wait(event, seconds):
    """Wait until the event is set or the seconds have passed; say whether it is set."""
    end = now() + seconds
    while not event.wait(0.02):
        if now() >= end:
            return event.is_set()
    return True
