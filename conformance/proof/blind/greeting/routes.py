"""Which path leads to which handler."""

import grpc

import codec
import reflection


async def health_check(request, context):
    """grpc.health.v1.Health/Check: always SERVING (1)."""
    return codec.encode([(1, 1)])


class Routes(grpc.GenericRpcHandler):
    def __init__(self, server, method):
        on = server.on
        name = "examples." + server.service
        if "path-without-package" in on:
            name = server.service
        if "method-name-in-lower-camel-case" in on:
            method = method[0].lower() + method[1:]
        self.prefix = "/%s/" % name
        greeting = grpc.stream_stream_rpc_method_handler(server.handle)
        self.handlers = {self.prefix + method: greeting}
        self.any_method = None
        if "unknown-method-served" in on:
            self.any_method = greeting
        if "unknown-method-not-found" in on:
            self.any_method = grpc.stream_stream_rpc_method_handler(not_found)
        if "second-path" in on:
            self.handlers["/%s/%s" % (server.service, method)] = greeting
        if "health-service" in on:
            self.handlers["/grpc.health.v1.Health/Check"] = (
                grpc.unary_unary_rpc_method_handler(health_check))
        if "reflection-service" in on:
            self.handlers[reflection.PATH] = (
                grpc.stream_stream_rpc_method_handler(
                    reflection.handler(server.service)))

    def service(self, handler_call_details):
        path = handler_call_details.method
        handler = self.handlers.get(path)
        if handler is None and path.startswith(self.prefix):
            handler = self.any_method
        return handler      # None: grpcio answers UNIMPLEMENTED


async def not_found(_requests, context):
    await context.abort(grpc.StatusCode.NOT_FOUND, "no such method")
