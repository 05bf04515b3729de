"""A server of specs/proto/examples/greeting.proto on grpcio, as its tutorials write one: one greeting for each request, at once.

greeting_server.py threads COUNT, or greeting_server.py asyncio. Prints {"port": …} when it serves, and ends when its standard input does.
"""
import asyncio
import datetime
import json
import os
import sys
from concurrent import futures

import grpc

import greeting_pb2
import greeting_pb2_grpc


def greeting(request):
    return greeting_pb2.GreetingResponse(
        message=f'Hello, {request.name}!',
        server_timestamp=datetime.datetime.now(datetime.timezone.utc).isoformat(),
    )


class Greeter(greeting_pb2_grpc.GreetingServiceServicer):
    def BidirectionalGreeting(self, request_iterator, context):
        for request in request_iterator:
            yield greeting(request)


class AsyncGreeter(greeting_pb2_grpc.GreetingServiceServicer):
    async def BidirectionalGreeting(self, request_iterator, context):
        async for request in request_iterator:
            yield greeting(request)


def opened(server, greeter):
    greeting_pb2_grpc.add_GreetingServiceServicer_to_server(greeter, server)
    return server.add_insecure_port('127.0.0.1:0')


def tell(port):
    print(json.dumps({'port': port}), flush=True)


def with_threads(count):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=count))
    port = opened(server, Greeter())
    server.start()
    tell(port)
    sys.stdin.read()


async def with_asyncio():
    server = grpc.aio.server()
    port = opened(server, AsyncGreeter())
    await server.start()
    tell(port)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if sys.argv[1] == 'asyncio':
    asyncio.run(with_asyncio())
else:
    with_threads(int(sys.argv[2]))
# No stop(): in grpcio 1.51 it was seen not to return after a request that could not be read.
os._exit(0)
