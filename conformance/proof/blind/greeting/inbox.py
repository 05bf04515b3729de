"""The queue between reading and answering."""

import asyncio
from collections import deque

END = object()      # the client's half-close


class Request:
    def __init__(self, name="", request_id="", blank=False):
        self.name = name
        self.request_id = request_id
        self.blank = blank      # the message had no bytes at all


class Inbox:
    """Requests that were read and are not yet answered."""

    def __init__(self):
        self.items = deque()
        self.changed = asyncio.Event()

    async def put(self, item, room):
        while len(self.items) >= room:
            await self._wait(None)
        self.add(item)

    def add(self, item):
        self.items.append(item)
        self.changed.set()

    async def _wait(self, seconds):
        self.changed.clear()
        await asyncio.wait_for(self.changed.wait(), seconds)

    async def peek(self, seconds=None):
        """The next item without taking it; None if none comes in time."""
        try:
            while not self.items:
                await self._wait(seconds)
        except asyncio.TimeoutError:
            return None
        return self.items[0]

    def take(self):
        self.changed.set()
        return self.items.popleft()
