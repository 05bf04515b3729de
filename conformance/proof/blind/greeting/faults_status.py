"""Violations: paths and status codes."""

import asyncio

from registry import RPC, STATUS, refuse, violation


async def unknown(stream):
    refuse("UNKNOWN", "stream ended")


violation("ends-with-unknown", STATUS + ": OK is returned on success",
          "A stream ends with UNKNOWN after all requests were answered and "
          "the client half-closed.", end=unknown)


async def unknown_after_ten(stream):
    if stream.received > 10:
        refuse("UNKNOWN", "list index out of range")


violation("long-stream-ends-with-unknown", STATUS + ": OK is returned on "
          "success",
          "A stream of more than ten requests ends with UNKNOWN after all of "
          "them were answered and the client half-closed.",
          end=unknown_after_ten)


def note_time(stream, request, requests):
    stream.own["last request"] = asyncio.get_running_loop().time()
    return requests


async def late_close(stream):
    now = asyncio.get_running_loop().time()
    if now - stream.own.get("last request", now) > 1:
        refuse("CANCELLED", "client went away")


violation("late-half-close-seen-as-cancel", STATUS + ": CANCELLED",
          "A half-close more than one second after the last request ends the "
          "stream with CANCELLED, though nobody cancelled.",
          gate=note_time, end=late_close)

violation("unknown-method-served", STATUS + ": UNIMPLEMENTED",
          "Any method name under the service is served as "
          "BidirectionalGreeting.")
violation("unknown-method-not-found", STATUS + ": UNIMPLEMENTED",
          "An unknown method of the service ends with NOT_FOUND.")
violation("path-without-package", RPC + ": package examples",
          "The RPC is served only under /SERVICE/BidirectionalGreeting, "
          "without the package.")
violation("method-name-in-lower-camel-case", RPC + ": method BidirectionalGreeting",
          "The RPC is served only as bidirectionalGreeting, with a small b.")
