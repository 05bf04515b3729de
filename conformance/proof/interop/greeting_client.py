"""A client of specs/proto/examples/greeting.proto on grpcio: greeting_client.py ADDRESS [CA_FILE TOKEN]

With the last two it speaks TLS and proves itself by the token, but for one conversation.
Holds its conversations one after the other over one channel, and prints what came of each as JSON.
"""
import json
import queue
import sys

import grpc

import greeting_pb2
import greeting_pb2_grpc

PATIENCE = 30


def request(name, number=0):
    return greeting_pb2.GreetingRequest(name=name, request_id=str(number))


def heard(call):
    """All that a call still gives, and how it ends."""
    responses = []
    try:
        for response in call:
            responses.append([response.message, response.server_timestamp])
    except grpc.RpcError:
        pass
    return {'responses': responses, 'code': call.code().name}


def talk(stub, names, **options):
    requests = [request(name, number) for number, name in enumerate(names)]
    return heard(stub.BidirectionalGreeting(iter(requests), timeout=PATIENCE, **options))


def open_call(stub, timeout=PATIENCE):
    """A call whose requests are sent one by one; None half-closes it."""
    requests = queue.Queue()
    return requests.put, stub.BidirectionalGreeting(iter(requests.get, None), timeout=timeout)


def half_close(stub):
    send, call = open_call(stub)
    while_open = []
    for name in ['Ada', 'Grace']:
        send(request(name))
        while_open.append(next(call).message)
    send(None)
    return {'while_open': while_open, **heard(call)}


def deadline(stub):
    send, call = open_call(stub, timeout=1)
    send(request('Ada'))
    while_open = [next(call).message]
    ending = heard(call)
    # Frees the thread that waits for requests.
    send(None)
    return {'while_open': while_open, **ending}


def cancel(stub):
    send, call = open_call(stub)
    send(request('Ada'))
    while_open = [next(call).message]
    call.cancel()
    ending = heard(call)
    send(None)
    return {'while_open': while_open, **ending}


def unknown(channel):
    method = channel.stream_stream('/examples.GreetingService/Unknown', lambda text: text, lambda text: text)
    return heard(method(iter([]), timeout=PATIENCE))


def channel_to(address, ca_file=None, token=None):
    if ca_file is None:
        return grpc.insecure_channel(address)
    with open(ca_file, 'rb') as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    if token is not None:
        credentials = grpc.composite_channel_credentials(credentials, grpc.access_token_call_credentials(token))
    return grpc.secure_channel(address, credentials)


def stranger(address, ca_file):
    with channel_to(address, ca_file) as channel:
        return talk(greeting_pb2_grpc.GreetingServiceStub(channel), ['Ada'])


def main(address, *secrets):
    with channel_to(address, *secrets) as channel:
        stub = greeting_pb2_grpc.GreetingServiceStub(channel)
        told = {
            'names': talk(stub, ['Ada', 'Łucja', 'Ἀθηνᾶ', 'محمد', '王秀英', '👩‍🚀']),
            'many': talk(stub, [f'Guest {number}' for number in range(1000)]),
            'large': talk(stub, ['Ada' * 100_000]),
            'gzip': talk(stub, ['Ada' * 1000], compression=grpc.Compression.Gzip),
            'none': talk(stub, []),
            'half_close': half_close(stub),
            'deadline': deadline(stub),
            'cancel': cancel(stub),
            'unknown': unknown(channel),
            'afterwards': talk(stub, ['Ada']),
        }
    if secrets:
        told['stranger'] = stranger(address, secrets[0])
    print(json.dumps(told))


main(*sys.argv[1:])
