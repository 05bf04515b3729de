import { isSecret } from '../stateful/http/secret.ts'
import { listen, closeServer } from '../stateful/http/server.ts'
import { requestOf, type Caller, type ReadBody } from './asking.ts'
import { parseJson, readBody } from './body.ts'
import { newDoor } from './door.ts'
import { ContractRefusal, type Envelope } from './envelope.ts'
import { askPrism, operationsOf, type Mocked, type PrismOperation } from './prism.ts'

export interface ContractHooksOptions {
  project?: string | number
  token?: string
  /** 0 lets the system choose. */
  port?: number
  basePath?: string
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
 * Starts the contract mock of the hook API on a port of the loopback address. It answers from the
 * document, remembers nothing and delivers nothing.
 */
export async function startContractHooks({
  project = 42,
  token = 'hooks-token',
  port = 0,
  basePath = '/api/v4',
}: ContractHooksOptions = {}): Promise<ContractHooksServer> {
  const options = { project: String(project), token, basePath }
  const server = newDoor({
    operations: await operationsOf('hooks'),
    basePath,
    envelope,
    admit: (c) => admit(c, options),
    answer,
    readdress: (json) => json,
  })
  return { url: (await listen(server, port)) + basePath, options, close: () => closeServer(server) }
}

/** Lets in who has the token, and knows the project. */
function admit(c: Caller, { token, project }: ContractHooksServer['options']): void {
  if (!isSecret(c.req.header('private-token'), token))
    throw new ContractRefusal(401, 'The access token is missing or not valid')
  if (c.req.param('id') !== project)
    throw new ContractRefusal(404, `There is no such project; the one here is ${project}`)
}

async function answer(c: Caller, operation: PrismOperation): Promise<Mocked> {
  const read = await readJson(c, operation)
  const prefer = c.req.header('prefer')
  const mocked = await askPrism(operation, requestOf(c, operation, read), prefer)
  // A record of the example's hook would contradict the request that it answers.
  if (prefer !== undefined || mocked.status !== 201 || operation.iid !== 'createHook') return mocked
  return {
    status: mocked.status,
    body: fitted(mocked.body as object, read.body as object, c.req.param('id') ?? ''),
  }
}

/** Where the document knows of no body, whatever was sent is ignored. */
async function readJson(c: Caller, operation: PrismOperation): Promise<ReadBody> {
  if (operation.request?.body === undefined) return { body: null, length: 0 }
  const raw = await readBody(c.env.incoming)
  return {
    body: parseJson(raw, c.req.header('content-type')),
    contentType: 'application/json',
    length: raw.length,
  }
}

/**
 * The example's record with what was asked for. A member that the example lacks, as the token, is
 * not shown.
 */
function fitted(record: object, asked: object, project: string): object {
  const given = Object.entries(asked).filter(([name]) => name !== 'id' && name in record)
  return {
    ...record,
    ...Object.fromEntries(given),
    ...('project_id' in record && /^\d{1,15}$/.test(project)
      ? { project_id: Number(project) }
      : {}),
  }
}
