"""One BidirectionalGreeting stream: read requests, send greetings."""

import asyncio
from datetime import datetime, timezone

import grpc

import codec
from inbox import END, Inbox, Request
from registry import Refused


class Stream:
    def __init__(self, server, context):
        self.server = server        # shared: see GreetingServer in server.py
        self.context = context
        self.shared = server.shared     # state of all streams (for faults)
        self.own = {}                   # state of this stream (for switches)
        self.number = server.count_stream()
        self.received = 0
        self.sent = 0
        self.bytes_sent = 0
        self.when = None                # time of the response being made
        self.inbox = Inbox()
        self.lock = asyncio.Lock()
        self.tasks = set()
        self.helpers = []

    def has(self, name):
        return name in self.server.on

    def apply(self, stage, request, value):
        for run in self.server.stage(stage):
            value = run(self, request, value)
        return value

    # Reading

    def parse(self, data):
        fields = self.apply("fields", None, codec.read_fields(data))
        errors = "strict"
        if self.has("invalid-utf8-replaced"):
            errors = "replace"
        if self.has("invalid-utf8-echoed"):
            errors = "surrogateescape"
        request = Request(blank=not data)
        for field in fields:
            if field.wire != codec.LEN:
                continue
            if field.number == 1:
                request.name = codec.text_of(field.value, errors)
            elif field.number == 2:
                request.request_id = codec.text_of(field.value, errors)
        return request

    async def read_all(self):
        while True:
            data = await self.context.read()
            if data is grpc.aio.EOF:
                self.inbox.add(END)
                return
            try:
                item = self.parse(data)
            except codec.Malformed as problem:
                self.shared["poisoned"] = True
                code = "INTERNAL"
                if self.has("malformed-invalid-argument"):
                    code = "INVALID_ARGUMENT"
                item = Refused(code, "bad request message: %s" % problem)
                if self.has("malformed-request-ok"):
                    item = END
            except Refused as problem:
                item = problem
            if self.has("burst-drops") and len(self.inbox.items) >= 16:
                continue
            await self.inbox.put(item, 64)

    # Answering

    async def take(self, request):
        self.received += 1
        for run in self.server.stage("intake"):
            request = await run(self, request, self.inbox)
            if request is None:
                return
        for each in self.apply("gate", request, [request]):
            await self.schedule(each)

    async def schedule(self, request):
        seconds = self.apply("delay", request, 0)
        if not seconds:
            await self.answer(request)
            return
        task = asyncio.create_task(self.answer_later(request, seconds))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def answer_later(self, request, seconds):
        await asyncio.sleep(seconds)
        await self.answer(request)

    async def answer(self, request):
        name = self.apply("name", request, request.name)
        text = "Hello, " + name + "!" if name else "Hello!"
        text = self.apply("greeting", request, text)
        for part in self.apply("parts", request, [text]):
            await self.respond(request, part)

    async def respond(self, request, text):
        self.sent += 1
        self.when = self.apply("when", request, datetime.now(timezone.utc))
        stamp = self.when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        stamp = self.apply("stamp", request, stamp)
        layout = self.apply("layout", request, [(1, text), (2, stamp)])
        data = self.apply("wire", request, codec.encode(layout))
        for stream in self.apply("target", request, [self]):
            await stream.write(data, self)

    async def write(self, data, sender):
        try:
            async with self.lock:
                await self.context.write(data)
                self.bytes_sent += len(data)
        except Exception:
            if sender is self:
                raise       # another stream may have ended in the meantime

    async def settle(self):
        """Wait until delayed answers are sent."""
        while self.tasks:
            await asyncio.gather(*list(self.tasks))

    # The whole stream

    async def work(self):
        for run in self.server.stage("open"):
            await run(self)
        self.helpers.append(asyncio.create_task(self.read_all()))
        idle = 2 if self.has("idle-timeout") else None
        while True:
            item = await self.inbox.peek(idle)
            if item is None:
                raise Refused("ABORTED", "no request for two seconds")
            self.inbox.take()
            if item is END:
                break
            if isinstance(item, Refused):
                raise item
            await self.take(item)
        for request in self.apply("flush", None, []):
            await self.schedule(request)
        await self.settle()
        for run in self.server.stage("end"):
            await run(self)

    async def run(self):
        self.server.streams.append(self)
        try:
            await self.work()
        except Refused as problem:
            await self.settle()
            code = getattr(grpc.StatusCode, problem.code)
            if code is grpc.StatusCode.OK:
                return
            await self.context.abort(code, problem.details)
        finally:
            self.server.streams.remove(self)
            for task in self.helpers + list(self.tasks):
                task.cancel()
            self.shared["names of the last stream"] = self.own.get("names")
