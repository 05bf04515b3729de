import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller } from './asking.ts'
import { refuse, ContractRefusal, type Envelope } from './envelope.ts'
import type { Mocked, PrismOperation } from './prism.ts'

export interface DoorOptions {
  operations: readonly PrismOperation[]
  basePath: string
  envelope: Envelope
  /** Throws a refusal where somebody may not come in. */
  admit(c: Caller): void
  /** Reads a request and has it answered. */
  answer(c: Caller, operation: PrismOperation): Promise<Mocked>
  /** Puts the addresses of this mock in place of those that the examples name. */
  readdress(json: string): string
}

/** Makes the server of one host: everything that the documents leave to the transport happens here, before Prism is asked. */
export function newDoor(options: DoorOptions): Server {
  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const operation of routesFirst(options.operations)) {
    app.on(
      operation.method,
      options.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      async (c) => {
        options.admit(c)
        const { status, body } = await options.answer(c, operation)
        return c.body(options.readdress(JSON.stringify(body)), status as 200, {
          'Content-Type': 'application/json',
        })
      },
    )
  }
  return serverOf(app, options.envelope)
}

/** Puts a server around an app, one that answers with envelopes also where there is no request that an app could see. */
export function serverOf(app: Hono<{ Bindings: HttpBindings }>, envelope: Envelope): Server {
  app.notFound((c) =>
    refuse(
      c,
      envelope,
      new ContractRefusal(404, `There is nothing at ${c.req.method} ${c.req.path}`),
    ),
  )
  app.onError((error, c) => refuse(c, envelope, error))
  const listener = getRequestListener(app.fetch, {
    // Whoever runs this mock in a process of theirs keeps their own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () =>
      Response.json(envelope.body(new ContractRefusal(400, 'The request is malformed')), {
        status: 400,
      }),
  })
  // Requests without a Host header reach the listener, which has an envelope for them.
  return createServer(
    { requireHostHeader: false },
    (request, response) => void listener(request, response),
  ).on('clientError', (_error, socket) => refuseRaw(socket as Socket, envelope))
}

/** Concrete paths before those with parameters: `variants` is no image's id. */
function routesFirst(operations: readonly PrismOperation[]): PrismOperation[] {
  const parameters = ({ path }: PrismOperation) => path.split('{').length
  return operations.toSorted((a, b) => parameters(a) - parameters(b))
}

function refuseRaw(socket: Socket, envelope: Envelope): void {
  if (!socket.writable) return
  const body = JSON.stringify(
    envelope.body(new ContractRefusal(400, 'The request is not HTTP that can be read')),
  )
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
