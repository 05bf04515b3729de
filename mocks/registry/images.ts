import type { BundledOptions, Mock, MockKind, Running, StartOptions } from './entry.ts'

export const images = {
  title: 'Image hosting',
  hosts: ['account', 'batch', 'upload', 'delivery'],
  firstPort: 4010,
  start,
  bundled,
} satisfies Mock

/** The options of this mock. Those of other mocks are left out. */
type Options = Pick<StartOptions, 'ports' | 'account' | 'maxFileBytes' | 'initial' | 'serving'>

/** Starts the image service. */
async function start(given: StartOptions): Promise<Running> {
  const { kind, ports, account, maxFileBytes, initial, serving } = given
  const options: Options = {
    ports,
    ...(account === undefined ? {} : { account }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
    ...(initial === undefined ? {} : { initial }),
    ...(serving === undefined ? {} : { serving }),
  }
  return kind === 'contract' ? await startContract(options) : await startStateful(options)
}

async function startContract(options: Options): Promise<Running> {
  const { startContractImages } = await import('../prism/images.ts')
  const server = await startContractImages(options)
  // The key `delivery` is omitted, because only a stateful server can refuse to deliver a private
  // image.
  return newRunning('contract', server, { flexibleVariants: false, state: false })
}

async function startStateful(options: Options): Promise<Running> {
  const { startImages, targetOf } = await import('../stateful/images.ts')
  const server = await startImages(options)
  // `state: true` is the default of a target file.
  const { state: _default, fetchTimeout, ...section } = targetOf(server)
  // In a target file, durations have a unit.
  return newRunning('stateful', server, { ...section, fetchTimeout: `${fetchTimeout}ms` })
}

interface Server {
  accountUrl: string
  batchUrl: string
  uploadUrl: string
  deliveryUrl: string
  options: {
    account: string
    tokens: { api: string; limited: string; batch: string; other?: string }
  }
  close(): Promise<void>
}

function newRunning(kind: MockKind, server: Server, section: Record<string, unknown>): Running {
  const {
    options: { account, tokens },
    batchUrl: batch,
    uploadUrl: upload,
    deliveryUrl: delivery,
  } = server
  return {
    kind,
    urls: { account: server.accountUrl, batch, upload, delivery },
    identifiers: { account },
    tokens,
    tokenOf: { account: 'api', batch: 'batch' },
    ...(kind === 'stateful' ? { control: ['clock'] } : {}),
    notes: [['limited token', `${tokens.limited} (responses have status 403)`]],
    example: () => ({
      url: `${server.accountUrl}/accounts/${encodeURIComponent(account)}/images/v2`,
      headers: { Authorization: `Bearer ${tokens.api}` },
    }),
    target: {
      url: server.accountUrl,
      account,
      token: tokens.api,
      limitedToken: tokens.limited,
      batch: { url: batch, token: tokens.batch },
      ...section,
    },
    close: () => server.close(),
  }
}

async function bundled({ timers }: BundledOptions) {
  const { startImages, targetOf } = await import('../stateful/images.ts')
  // A small size limit and a short timeout keep the run short.
  const server = await startImages({
    maxFileBytes: 256 * 1024,
    rules: { fetchStallMs: 25 },
    timers,
  })
  return { target: targetOf(server), suite: { pictures: {} }, close: () => server.close() }
}
