"""A client of specs/proto/examples/greeting.proto on grpcio.

Usage: greeting_client.py ADDRESS [CA_FILE TOKEN]

Makes its calls one after the other over one channel, and prints their results as JSON. With CA_FILE
and TOKEN, it uses TLS and sends the token, and then makes a call without a token over a new channel.
"""
import json
import queue
import sys

import grpc

import greeting_pb2
import greeting_pb2_grpc

TIMEOUT = 30


def request(name, number=0):
    return greeting_pb2.GreetingRequest(name=name, request_id=str(number))


def collect(call):
    """Returns the remaining responses of a call, and its status."""
    responses = []
    try:
        for response in call:
            responses.append([response.message, response.server_timestamp])
    except grpc.RpcError:
        pass
    return {'responses': responses, 'code': call.code().name}


def greet(stub, names, **options):
    requests = [request(name, number) for number, name in enumerate(names)]
    return collect(stub.BidirectionalGreeting(iter(requests), timeout=TIMEOUT, **options))


def open_call(stub, timeout=TIMEOUT):
    """Opens a call whose requests are sent one by one; None half-closes it."""
    requests = queue.Queue()
    return requests.put, stub.BidirectionalGreeting(iter(requests.get, None), timeout=timeout)


def half_close(stub):
    send, call = open_call(stub)
    while_open = []
    for name in ['Ada', 'Grace']:
        send(request(name))
        while_open.append(next(call).message)
    send(None)
    return {'while_open': while_open, **collect(call)}


def deadline(stub):
    send, call = open_call(stub, timeout=1)
    send(request('Ada'))
    while_open = [next(call).message]
    ending = collect(call)
    # Frees the thread that waits for requests.
    send(None)
    return {'while_open': while_open, **ending}


def cancel(stub):
    send, call = open_call(stub)
    send(request('Ada'))
    while_open = [next(call).message]
    call.cancel()
    ending = collect(call)
    send(None)
    return {'while_open': while_open, **ending}


def unknown(channel):
    method = channel.stream_stream('/examples.GreetingService/Unknown', bytes, bytes)
    return collect(method(iter([]), timeout=TIMEOUT))


def channel_to(address, ca_file=None, token=None):
    if ca_file is None:
        return grpc.insecure_channel(address)
    with open(ca_file, 'rb') as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    if token is not None:
        credentials = grpc.composite_channel_credentials(credentials, grpc.access_token_call_credentials(token))
    return grpc.secure_channel(address, credentials)


def unauthenticated(address, ca_file):
    with channel_to(address, ca_file) as channel:
        return greet(greeting_pb2_grpc.GreetingServiceStub(channel), ['Ada'])


def main(address, *secrets):
    with channel_to(address, *secrets) as channel:
        stub = greeting_pb2_grpc.GreetingServiceStub(channel)
        results = {
            'names': greet(stub, ['Ada', 'Łucja', 'Ἀθηνᾶ', 'محمد', '王秀英', '👩‍🚀']),
            'many': greet(stub, [f'Guest {number}' for number in range(1000)]),
            'large': greet(stub, ['Ada' * 100_000]),
            'gzip': greet(stub, ['Ada' * 1000], compression=grpc.Compression.Gzip),
            'none': greet(stub, []),
            'half_close': half_close(stub),
            'deadline': deadline(stub),
            'cancel': cancel(stub),
            'unknown': unknown(channel),
            'afterwards': greet(stub, ['Ada']),
        }
    if secrets:
        results['unauthenticated'] = unauthenticated(address, secrets[0])
    print(json.dumps(results))


main(*sys.argv[1:])
