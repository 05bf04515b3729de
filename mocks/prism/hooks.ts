import type { RequestListener, Server } from 'node:http'
import { noteUnknownFields } from '../serving/ignored.ts'
import { applyServing, type Serving } from '../serving/serving.ts'
import type { HooksOperation } from '../stateful/hooks/call.ts'
import { knownFields } from '../stateful/hooks/fields.ts'
import { requirementOf } from '../stateful/hooks/refused.ts'
import { isObject } from '../stateful/http/body.ts'
import { isSecret } from '../stateful/http/secret.ts'
import { listen, closeServer } from '../stateful/http/server.ts'
import { requestOf, type ContractRequestContext, type ReadBody } from './request.ts'
import { parseJson, readBody } from './body.ts'
import { newContractHost } from './host.ts'
import { ContractRefusal, type Envelope } from './envelope.ts'
import { callPrism, operationsOf, type PrismResult, type PrismOperation } from './prism.ts'

export interface ContractHooksOptions {
  project?: string | number
  token?: string
  /** 0 lets the system choose a free port. */
  port?: number
  basePath?: string
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface ContractHooksServer {
  /** The base URL. */
  url: string
  /** The options with every default filled in. */
  options: { project: string; token: string; basePath: string }
  close(): Promise<void>
}

const envelope: Envelope = { body: ({ message }) => ({ message }) }

/**
 * Starts the contract mock of the hook API on a port of the loopback address. It generates
 * responses from the OpenAPI document, keeps no state and sends no deliveries.
 */
export async function startContractHooks({
  project = 42,
  token = 'hooks-token',
  port = 0,
  basePath = '/api/v4',
  serving,
}: ContractHooksOptions = {}): Promise<ContractHooksServer> {
  const options = { project: String(project), token, basePath }
  const host = newContractHost({
    operations: await operationsOf('hooks'),
    basePath,
    envelope,
    authorize: (c) => authorize(c, options),
    respond,
    requirementOf: (reason, operation) => requirementOf(reason, operation as HooksOperation),
    replaceHosts: (json) => json,
  })
  refuseEvents(host)
  const server = applyServing(
    host,
    { name: 'hooks', failures: [429], reset: () => {}, pageOption: '--no-cors' },
    serving,
  )
  return {
    url: (await listen(server, port, serving?.hostname)) + basePath,
    options,
    close: () => closeServer(server),
  }
}

/** Says on requests for events that only the stateful mock has them. */
function refuseEvents(host: Server): void {
  const [handle] = host.listeners('request') as RequestListener[]
  host.removeAllListeners('request').on('request', (request, response) => {
    if (request.url !== '/_touchstone/events') return handle?.(request, response)
    response
      .writeHead(404, { 'Content-Type': 'application/json' })
      .end('{"message":"Only the stateful mock sends deliveries. Start it with --stateful"}')
  })
}

/** Refuses requests with a wrong token or project. */
function authorize(
  c: ContractRequestContext,
  { token, project }: ContractHooksServer['options'],
): void {
  if (!isSecret(c.req.header('private-token'), token))
    throw new ContractRefusal(401, 'The access token is missing or not valid', {
      reason: 'unauthorized',
    })
  if (c.req.param('id') !== project)
    throw new ContractRefusal(404, `Unknown project; the only project is ${project}`, {
      reason: 'project-unknown',
    })
}

async function respond(c: ContractRequestContext, operation: PrismOperation): Promise<PrismResult> {
  const read = await readJson(c, operation)
  if (operation.iid === 'createHook' && isObject(read.body))
    noteUnknownFields(c.env.incoming, Object.keys(read.body), knownFields)
  const prefer = c.req.header('prefer')
  const reply = await callPrism(operation, requestOf(c, operation, read), prefer)
  // The record in the example would contradict the request, so it is adapted. A response that the
  // client chose with `Prefer` is returned unchanged.
  if (prefer !== undefined || reply.status !== 201 || operation.iid !== 'createHook') return reply
  return {
    status: reply.status,
    body: fitExample(reply.body as object, read.body as object, c.req.param('id') ?? ''),
  }
}

/** Reads a JSON body. If the OpenAPI document defines no body, a sent body is ignored. */
async function readJson(c: ContractRequestContext, operation: PrismOperation): Promise<ReadBody> {
  if (operation.request?.body === undefined) return { body: null, length: 0 }
  const raw = await readBody(c.env.incoming)
  return {
    body: parseJson(raw, c.req.header('content-type')),
    contentType: 'application/json',
    length: raw.length,
  }
}

/**
 * The example's record with the requested values. Fields that the example lacks, such as the token,
 * are omitted.
 */
function fitExample(record: object, input: object, project: string): object {
  const requestedFields = Object.entries(input).filter(([name]) => name !== 'id' && name in record)
  return {
    ...record,
    ...Object.fromEntries(requestedFields),
    ...('project_id' in record && /^\d{1,15}$/.test(project)
      ? { project_id: Number(project) }
      : {}),
  }
}
