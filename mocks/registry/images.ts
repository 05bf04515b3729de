import type { Mock, MockKind, Running, StartOptions } from './entry.ts'

export const images = {
  title: 'Image hosting',
  hosts: ['account', 'batch', 'upload', 'delivery'],
  firstPort: 4010,
  start,
  bundled,
} satisfies Mock

type Options = Omit<StartOptions, 'kind'>

/** Starts the image service. */
async function start({ kind, ...options }: StartOptions): Promise<Running> {
  return kind === 'contract' ? await startContract(options) : await startStateful(options)
}

async function startContract(options: Options): Promise<Running> {
  const { startContractImages } = await import('../prism/images.ts')
  const server = await startContractImages(options)
  // No delivery here: whether a picture is private is something that only a server with a memory can show there.
  return running('contract', server, { flexibleVariants: false, state: false })
}

async function startStateful(options: Options): Promise<Running> {
  const { startImages, targetOf } = await import('../stateful/images.ts')
  const server = await startImages(options)
  // That it remembers is what a target file takes for granted.
  const { state: _granted, fetchTimeout, ...given } = targetOf(server)
  // In a target file, times have a unit.
  return running('stateful', server, { ...given, fetchTimeout: `${fetchTimeout}ms` })
}

interface Server {
  account: string
  batch: string
  upload: string
  delivery: string
  options: { account: string; tokens: { api: string; limited: string; batch: string } }
  close(): Promise<void>
}

function running(kind: MockKind, server: Server, more: Record<string, unknown>): Running {
  const {
    options: { account, tokens },
    batch,
    upload,
    delivery,
  } = server
  return {
    kind,
    urls: { account: server.account, batch, upload, delivery },
    owns: { account },
    tokens,
    tokenOf: { account: 'api', batch: 'batch' },
    notes: [['limited token', `${tokens.limited} (gets 403)`]],
    example: {
      url: `${server.account}/accounts/${encodeURIComponent(account)}/images/v2`,
      headers: { Authorization: `Bearer ${tokens.api}` },
    },
    target: {
      url: server.account,
      account,
      token: tokens.api,
      limitedToken: tokens.limited,
      batch: { url: batch, token: tokens.batch },
      ...more,
    },
    close: () => server.close(),
  }
}

async function bundled() {
  const { startImages, targetOf } = await import('../stateful/images.ts')
  // A small largest file and little patience keep the run short.
  const server = await startImages({ maxFileBytes: 256 * 1024, rules: { fetchStallMs: 25 } })
  return { target: targetOf(server), suite: { pictures: {} }, close: () => server.close() }
}
