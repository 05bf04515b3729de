"""A server of specs/proto/examples/greeting.proto on grpcio, as in its tutorials.

It responds to each request with a greeting.

Usage: greeting_server.py threads COUNT
       greeting_server.py asyncio
       greeting_server.py tls KEY_FILE CERT_FILE TOKEN (serves only callers with the token)

Prints {"port": …} when it is ready, and exits when its standard input closes.
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


class Guard(grpc.ServerInterceptor):
    def __init__(self, token):
        self.expected = ('authorization', f'Bearer {token}')
        self.refusal = grpc.stream_stream_rpc_method_handler(
            lambda requests, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, 'a valid bearer token is required'),
        )

    def intercept_service(self, continuation, details):
        return continuation(details) if self.expected in details.invocation_metadata else self.refusal


def add_port(server, greeter, credentials=None):
    greeting_pb2_grpc.add_GreetingServiceServicer_to_server(greeter, server)
    address = '127.0.0.1:0'
    return server.add_insecure_port(address) if credentials is None else server.add_secure_port(address, credentials)


def print_port(port):
    print(json.dumps({'port': port}), flush=True)


def bytes_of(file):
    with open(file, 'rb') as opened_file:
        return opened_file.read()


def with_threads(count, credentials=None, interceptors=()):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=count), interceptors=interceptors)
    port = add_port(server, Greeter(), credentials)
    server.start()
    print_port(port)
    sys.stdin.read()


def with_tls(key_file, cert_file, token):
    credentials = grpc.ssl_server_credentials([(bytes_of(key_file), bytes_of(cert_file))])
    with_threads(10, credentials, [Guard(token)])


async def with_asyncio():
    server = grpc.aio.server()
    port = add_port(server, AsyncGreeter())
    await server.start()
    print_port(port)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


kind, *args = sys.argv[1:]
if kind == 'asyncio':
    asyncio.run(with_asyncio())
elif kind == 'tls':
    with_tls(*args)
else:
    with_threads(int(args[0]))
# Exits without stop(), which in grpcio 1.51 may not return after an unreadable request.
os._exit(0)
