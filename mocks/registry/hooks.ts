import type { BundledOptions, Example, Mock, MockKind, Running, StartOptions } from './entry.ts'

export const hooks = {
  title: 'Hooks and their deliveries',
  hosts: ['api'],
  firstPort: 4020,
  start,
  bundled,
} satisfies Mock

/** The options of this mock. Those of others are left out: `token` is that of greeting. */
type Options = Pick<StartOptions, 'project' | 'initial' | 'serving'> & { port: number }

/** Starts the hook service. Only the stateful mock sends deliveries. */
async function start({ kind, ports, project, initial, serving }: StartOptions): Promise<Running> {
  const options: Options = {
    port: ports['api'] ?? 0,
    ...(project === undefined ? {} : { project }),
    ...(initial === undefined ? {} : { initial }),
    ...(serving === undefined ? {} : { serving }),
  }
  return kind === 'contract' ? await startContract(options) : await startStateful(options)
}

async function startContract(options: Options): Promise<Running> {
  const { startContractHooks } = await import('../prism/hooks.ts')
  return newRunning('contract', await startContractHooks(options), { state: false })
}

async function startStateful(options: Options): Promise<Running> {
  const { startHooks, targetOf } = await import('../stateful/hooks.ts')
  const server = await startHooks(options)
  const { testEvents, trigger, otherProject } = targetOf(server).hooks
  return newRunning('stateful', server, { testEvents, trigger, otherProject })
}

interface Server {
  url: string
  options: { project: string; token: string }
  close(): Promise<void>
}

function newRunning(kind: MockKind, server: Server, section: Record<string, unknown>): Running {
  const {
    url,
    options: { project, token },
  } = server
  return {
    kind,
    urls: { api: url },
    identifiers: { project },
    tokens: { api: token },
    tokenOf: { api: 'api' },
    ...(kind === 'stateful' ? { control: ['events'] } : {}),
    notes: kind === 'contract' ? [['deliveries', 'none (--stateful sends them)']] : [],
    example: (others) => ({
      url: `${url}/projects/${encodeURIComponent(project)}/hooks`,
      ...hookToCreate(kind, token, others.get('receiver')),
    }),
    target: { url, project, token, ...section },
    close: () => server.close(),
  }
}

/** The headers and body that create a hook: for the running receiver, or for its usual address. */
function hookToCreate(
  kind: MockKind,
  token: string,
  receiver: Running | undefined,
): Omit<Extract<Example, { url: string }>, 'url'> {
  const address = receiver?.urls['receiver'] ?? 'http://127.0.0.1:4030/hook'
  const headers = { 'PRIVATE-TOKEN': token }
  // The stateless mock sends no deliveries, and accepts only JSON.
  if (kind === 'contract')
    return { headers: { ...headers, 'Content-Type': 'application/json' }, json: { url: address } }
  const secret = receiver?.tokens['secret']
  return {
    headers,
    form: {
      url: address,
      ...(secret === undefined ? {} : { token: secret }),
      // The certificate of the mocks is self-signed.
      ...(address.startsWith('https:') ? { enable_ssl_verification: 'false' } : {}),
    },
  }
}

async function bundled({ timers }: BundledOptions) {
  const { startHooks, targetOf } = await import('../stateful/hooks.ts')
  const server = await startHooks({ timers })
  return {
    target: targetOf(server).hooks,
    suite: { watch: 200, receiver: { listen: '127.0.0.1:0' } },
    close: () => server.close(),
  }
}
