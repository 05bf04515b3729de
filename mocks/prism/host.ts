import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { RequirementId } from '../../generated/requirements/index.ts'
import { note } from '../serving/notes.ts'
import { failureHeaders } from '../serving/prefer.ts'
import type { ContractRequestContext } from './request.ts'
import { refuse, ContractRefusal, type Envelope, type RefusalReason } from './envelope.ts'
import type { PrismResult, PrismOperation } from './prism.ts'

export interface HostOptions {
  operations: readonly PrismOperation[]
  basePath: string
  envelope: Envelope
  /** Throws a refusal if the caller is not authorised. */
  authorize(c: ContractRequestContext): void
  /** Returns the response of an operation to a request. */
  respond(c: ContractRequestContext, operation: PrismOperation): Promise<PrismResult>
  /** Returns the requirement according to which an operation refuses a request for this reason. */
  requirementOf(reason: RefusalReason, operation: string): RequirementId | undefined
  /** Replaces the hosts in the examples of the contract with the hosts of this mock. */
  replaceHosts(json: string): string
}

/**
 * Makes the server for one of the hosts of a mock. The server does everything that happens before
 * Prism is called: it selects the operation, authorises the caller, and refuses malformed requests.
 */
export function newContractHost(options: HostOptions): Server {
  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const operation of concretePathsFirst(options.operations)) {
    app.on(
      operation.method,
      options.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      async (c) => {
        const { status, body } = await respondTo(c, operation, options)
        return c.body(options.replaceHosts(JSON.stringify(body)), status as 200, {
          'Content-Type': 'application/json',
          ...failureHeaders(status, options.envelope.challenge),
        })
      },
    )
  }
  return serverOf(app, options.envelope)
}

/** Responds to a request. If it is refused, notes the requirement for the request log. */
async function respondTo(
  c: ContractRequestContext,
  operation: PrismOperation,
  { authorize, respond, requirementOf }: HostOptions,
): Promise<PrismResult> {
  try {
    authorize(c)
    return await respond(c, operation)
  } catch (error) {
    if (error instanceof ContractRefusal && error.reason !== undefined)
      note(c.env.incoming, { requirement: requirementOf(error.reason, operation.iid ?? '') })
    throw error
  }
}

/**
 * Makes a server for an app. The server also responds with envelopes to requests that never reach
 * the app.
 */
export function serverOf(app: Hono<{ Bindings: HttpBindings }>, envelope: Envelope): Server {
  app.notFound((c) =>
    refuse(
      c,
      envelope,
      new ContractRefusal(404, `There is no operation ${c.req.method} ${c.req.path}`),
    ),
  )
  app.onError((error, c) => refuse(c, envelope, error))
  const listener = getRequestListener(app.fetch, {
    // The global Request and Response must not change for other code in the process.
    overrideGlobalObjects: false,
    errorHandler: () =>
      Response.json(envelope.body(new ContractRefusal(400, 'The request is malformed')), {
        status: 400,
      }),
  })
  // Requests without a Host header reach the listener, which responds with an envelope.
  return createServer(
    { requireHostHeader: false },
    (request, response) => void listener(request, response),
  ).on('clientError', (_error, socket) => refuseRaw(socket as Socket, envelope))
}

/**
 * Sorts paths without parameters before paths with parameters. Otherwise the segment `variants` of
 * a path would be read as an image id.
 */
function concretePathsFirst(operations: readonly PrismOperation[]): PrismOperation[] {
  const countParameters = ({ path }: PrismOperation) => path.split('{').length - 1
  return operations.toSorted((a, b) => countParameters(a) - countParameters(b))
}

function refuseRaw(socket: Socket, envelope: Envelope): void {
  if (!socket.writable) return
  const body = JSON.stringify(
    envelope.body(new ContractRefusal(400, 'The request is not valid HTTP')),
  )
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
