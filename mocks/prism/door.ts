import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { defaultRules } from '../stateful/images/rules.ts'
import type { roleReader } from '../stateful/images/tokens.ts'
import { answer, type Caller } from './answer.ts'
import { failure, refuse, Refusal } from './envelope.ts'
import type { Operation } from './prism.ts'

export interface DoorOptions {
  host: 'account' | 'batch' | 'upload'
  operations: readonly Operation[]
  account: string
  basePath: string
  roleOf: ReturnType<typeof roleReader>
  /** Puts the addresses of this mock in place of those that the examples name. */
  readdress(json: string): string
}

/** Makes the server of one host: everything that the documents leave to the transport happens here, before Prism is asked. */
export function newDoor(options: DoorOptions): Server {
  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const operation of routesFirst(options.operations)) {
    app.on(operation.method, options.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      admit(c, options)
      const { status, body } = await answer(c, operation)
      return c.body(options.readdress(JSON.stringify(body)), status as 200, { 'Content-Type': 'application/json' })
    })
  }
  return serverOf(app)
}

/** Puts a server around an app, one that answers with envelopes also where there is no request that an app could see. */
export function serverOf(app: Hono<{ Bindings: HttpBindings }>): Server {
  app.notFound((c) => refuse(c, new Refusal(404, `There is nothing at ${c.req.method} ${c.req.path}`)))
  app.onError((error, c) => refuse(c, error))
  const listener = getRequestListener(app.fetch, {
    // Whoever runs this mock in a process of theirs keeps their own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json(failure(5400, 'The request is malformed'), { status: 400 }),
  })
  // Requests without a Host header reach the listener, which has an envelope for them.
  return createServer({ requireHostHeader: false }, (request, response) => void listener(request, response)).on('clientError', (_error, socket) => refuseRaw(socket as Socket))
}

/** Concrete paths before those with parameters: `variants` is no image's id. */
function routesFirst(operations: readonly Operation[]): Operation[] {
  const parameters = ({ path }: Operation) => path.split('{').length
  return operations.toSorted((a, b) => parameters(a) - parameters(b))
}

/** Lets in who has a token for this host. Prism itself takes any token that is not empty. */
function admit(c: Caller, { host, account, roleOf }: DoorOptions): void {
  if (host === 'upload') return
  const granted = defaultRules.grants(roleOf(c.req.header('authorization')), host)
  if (granted === 403) throw new Refusal(403, 'The token lacks the permission to edit images')
  if (granted !== true) throw new Refusal(401, 'The token is missing or not valid')
  if (host === 'account' && c.req.param('account_id') !== account) throw new Refusal(404, `There is no such account; the one here is ${account}`)
}

function refuseRaw(socket: Socket): void {
  if (!socket.writable) return
  const body = JSON.stringify(failure(5400, 'The request is not HTTP that can be read'))
  socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`)
}
