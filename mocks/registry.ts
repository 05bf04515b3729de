/** Contract mocks answer from the documents and remember nothing; stateful mocks remember. */
export type Kind = 'contract' | 'stateful'

export interface StartOptions {
  kind: Kind
  /** One port for each host; 0 lets the system choose. */
  ports: Record<string, number>
  account?: string
  /** Stateful mocks only. */
  maxFileBytes?: number
  /** Stateful mocks only: how long every answer is held back. */
  delayMs?: number
}

/** A mock that runs, and what somebody has to know to use or to judge it. */
export interface Running {
  kind: Kind
  /** The base URL of each host. */
  urls: Record<string, string>
  account: string
  tokens: { api: string; limited: string; batch: string }
  /** The section of a target file that describes it. */
  target: Record<string, unknown>
  close(): Promise<void>
}

export interface Mock {
  title: string
  /** Its hosts in the order of their ports. */
  hosts: readonly string[]
  firstPort: number
  /** Starts it, loading what it needs only now. A taken port rejects with `code`, and `port` says which. */
  start(options: StartOptions): Promise<Running>
}

/** Every mock by its name. */
export const mocks: Readonly<Record<string, Mock>> = {
  images: { title: 'Image hosting', hosts: ['account', 'batch', 'upload', 'delivery'], firstPort: 4010, start: startImages },
}

async function startImages({ kind, ...options }: StartOptions): Promise<Running> {
  return kind === 'contract' ? await startContract(options) : await startStateful(options)
}

async function startContract(options: Omit<StartOptions, 'kind'>): Promise<Running> {
  const { startContractImages } = await import('./prism/images.ts')
  const server = await startContractImages(options)
  // No delivery here: whether a picture is private is something that only a server with a memory can show there.
  return running('contract', server, { flexibleVariants: false, state: false })
}

async function startStateful(options: Omit<StartOptions, 'kind'>): Promise<Running> {
  const { startImages: start, targetOf } = await import('./stateful/images.ts')
  const server = await start(options)
  // That it remembers is what a target file takes for granted.
  const { state: _granted, ...given } = targetOf(server)
  return running('stateful', server, given)
}

interface ImagesServer {
  account: string
  batch: string
  upload: string
  delivery: string
  options: { account: string; tokens: Running['tokens'] }
  close(): Promise<void>
}

function running(kind: Kind, server: ImagesServer, more: Record<string, unknown>): Running {
  const { options: { account, tokens }, batch, upload, delivery } = server
  return {
    kind,
    urls: { account: server.account, batch, upload, delivery },
    account,
    tokens,
    target: { url: server.account, account, token: tokens.api, limitedToken: tokens.limited, batch: { url: batch, token: tokens.batch }, ...more },
    close: () => server.close(),
  }
}
