import { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Server } from 'node:http'
import { noteIgnoredPreference } from '../serving/prefer.ts'
import { applyServing, type Serving } from '../serving/serving.ts'
import { listen, closeServer } from '../stateful/http/server.ts'
import { servedHost } from '../stateful/images/served-host.ts'
import { forcedMessageOf, forcedStatuses } from '../stateful/images/replies.ts'
import { requirementOf } from '../stateful/images/refused.ts'
import type { ImagesOperation } from '../stateful/images/routes.ts'
import { defaultRules } from '../stateful/images/rules.ts'
import { newRoleReader } from '../stateful/images/tokens.ts'
import { respond } from './respond.ts'
import type { ContractRequestContext } from './request.ts'
import { newContractHost, serverOf } from './host.ts'
import { ContractRefusal, type Envelope } from './envelope.ts'
import { greyImage } from '../stateful/images/grey-image.ts'
import { operationsOf } from './prism.ts'

export interface ContractImagesOptions {
  account?: string
  tokens?: Partial<Tokens>
  ports?: { account?: number; batch?: number; upload?: number; delivery?: number }
  basePath?: string
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface ContractImagesServer {
  /** The base URLs. */
  accountUrl: string
  batchUrl: string
  uploadUrl: string
  deliveryUrl: string
  /** The options with every default filled in. */
  options: { account: string; tokens: Tokens; basePath: string }
  close(): Promise<void>
}

interface Tokens {
  api: string
  limited: string
  batch: string
}

/** The hosts in the examples of the OpenAPI documents. */
const exampleHosts = { upload: 'https://upload.example', delivery: 'https://delivery.example' }

const envelope: Envelope = {
  body: ({ code, message }) => ({
    success: false,
    errors: [{ code, message }],
    messages: [],
    result: null,
  }),
  challenge: 'Bearer',
}

/**
 * Starts the contract mock of the image service on four ports of the loopback address. It generates
 * responses from the OpenAPI documents and keeps no state.
 */
export async function startContractImages(
  options: ContractImagesOptions = {},
): Promise<ContractImagesServer> {
  const { account = 'acc-1', basePath = '/client/v4', ports = {} } = options
  const tokens: Tokens = {
    api: 'images-token',
    limited: 'images-limited-token',
    batch: 'images-batch-token',
    ...options.tokens,
  }
  const documents = await Promise.all(
    ['images-account', 'images-batch', 'images-upload'].map(operationsOf),
  )
  const [accountOperations = [], batchOperations = [], uploadOperations = []] = documents
  const urls = { account: '', batch: '', upload: '', delivery: '' }
  const roleOf = newRoleReader(tokens)
  const shared = {
    basePath: '',
    envelope,
    respond,
    requirementOf: (reason: string, operation: string) =>
      requirementOf(reason, operation as ImagesOperation),
    replaceHosts: (json: string) =>
      json
        .replaceAll(exampleHosts.upload, urls.upload)
        .replaceAll(exampleHosts.delivery, urls.delivery),
  }
  const hosts: Record<keyof typeof urls, Server> = {
    account: newContractHost({
      ...shared,
      operations: accountOperations,
      basePath,
      authorize: (c) => authorize(c, 'account', roleOf, account),
    }),
    batch: newContractHost({
      ...shared,
      operations: batchOperations,
      authorize: (c) => authorize(c, 'batch', roleOf),
    }),
    upload: newContractHost({ ...shared, operations: uploadOperations, authorize: () => {} }),
    delivery: deliveryHost(),
  }
  for (const [name, host] of Object.entries(hosts))
    hosts[name as keyof typeof urls] = applyServing(
      host,
      {
        ...servedHost(name as keyof typeof urls),
        reset: () => {},
        statefulControl: name === 'account' ? ['clock'] : [],
      },
      options.serving,
    )
  const close = async () => {
    await Promise.all(Object.values(hosts).map(closeServer))
  }
  try {
    for (const name of ['account', 'batch', 'upload', 'delivery'] as const)
      urls[name] = await listen(hosts[name], ports[name] ?? 0, options.serving?.hostname)
  } catch (error) {
    await close()
    throw error
  }
  return {
    accountUrl: urls.account + basePath,
    batchUrl: urls.batch,
    uploadUrl: urls.upload,
    deliveryUrl: urls.delivery,
    options: { account, tokens, basePath },
    close,
  }
}

/** Refuses requests with a wrong token or account. Prism itself accepts any non-empty token. */
function authorize(
  c: ContractRequestContext,
  host: 'account' | 'batch',
  roleOf: ReturnType<typeof newRoleReader>,
  account?: string,
): void {
  const access = defaultRules.checkAccess(roleOf(c.req.header('authorization')), host)
  if (access === 403)
    throw new ContractRefusal(403, 'The token lacks the permission to edit images', {
      reason: 'permission-missing',
    })
  if (access !== true)
    throw new ContractRefusal(401, 'The token is missing or not valid', {
      reason: 'unauthorized',
    })
  if (account !== undefined && c.req.param('account_id') !== account)
    throw new ContractRefusal(404, `Unknown account; the only account is ${account}`, {
      reason: 'account-unknown',
    })
}

/**
 * The failure that a client requests with `Prefer: code=…`. Prism does not serve the delivery host.
 */
function forcedFailure(prefer: string | undefined): ContractRefusal | undefined {
  const forced = forcedMessageOf(prefer)
  return forced && new ContractRefusal(forced.status, forced.message)
}

/** Delivers the same image for every delivery URL. */
function deliveryHost(): Server {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/:hash/:image_id/:variant', (c) => {
    const prefer = c.req.header('prefer')
    const failure = forcedFailure(prefer)
    if (failure !== undefined) throw failure
    noteIgnoredPreference(c.env.incoming, prefer, forcedStatuses)
    return c.body(greyImage, 200, { 'Content-Type': 'image/png' })
  })
  return serverOf(app, envelope)
}
