"""The server reflection service (v1alpha), for the greeting service only."""

import grpc

import codec

PATH = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
FILE = "greeting.proto"
METHOD = "BidirectionalGreeting"


def message(name, fields):
    """A DescriptorProto whose fields are all optional strings."""
    out = codec.put(1, name)
    for number, field in fields:
        out += codec.put(2, codec.put(1, field) + codec.put(3, number)
                         + codec.put(4, 1) + codec.put(5, 9))
    return out


def file_descriptor(service):
    method = (codec.put(1, METHOD)
              + codec.put(2, ".examples.GreetingRequest")
              + codec.put(3, ".examples.GreetingResponse")
              + codec.put(5, 1) + codec.put(6, 1))
    request = message("GreetingRequest", [(1, "name"), (2, "request_id")])
    response = message("GreetingResponse",
                       [(1, "message"), (2, "server_timestamp")])
    return (codec.put(1, FILE) + codec.put(2, "examples")
            + codec.put(4, request) + codec.put(4, response)
            + codec.put(6, codec.put(1, service) + codec.put(2, method))
            + codec.put(12, "proto3"))


def answer(service, data):
    full = "examples." + service
    known = {full, full + "." + METHOD,
             "examples.GreetingRequest", "examples.GreetingResponse"}
    body = b""
    for field in codec.read_fields(data):
        if field.number == 7:
            body = codec.put(6, codec.put(1, codec.put(1, full)))
        elif (field.number == 3 and field.value == FILE.encode()
              or field.number == 4 and codec.text_of(field.value) in known):
            body = codec.put(4, codec.put(1, file_descriptor(service)))
    if not body:
        body = codec.put(7, codec.put(1, 5) + codec.put(2, "not found"))
    return codec.put(2, data) + body


def handler(service):
    async def info(_requests, context):
        while True:
            data = await context.read()
            if data is grpc.aio.EOF:
                return
            await context.write(answer(service, data))
    return info
