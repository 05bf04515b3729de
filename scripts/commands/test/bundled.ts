import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Section } from '../../../conformance/suite.ts'
import type { Target } from '../../../conformance/target.ts'
import type { Auth } from '../../../mocks/stateful/tools.ts'
import type { Pattern } from './patterns.ts'

interface Bundled {
  target: Omit<Target, 'suite'>
  /** What the suite is set to, where nothing else is given: waits that are long enough on one machine. */
  suite: Partial<Target['suite']>
  close(): Promise<void>
}

/** How to start the correct server of each section, with everything that a target can give. */
const starters: { readonly [S in Section]: (pattern: Pattern) => Promise<Bundled> } = {
  async images() {
    const { startImages, targetOf } = await import('../../../mocks/stateful/images.ts')
    // A small largest file and little patience keep the run short.
    const server = await startImages({ maxFileBytes: 256 * 1024, rules: { fetchStallMs: 25 } })
    return {
      target: { images: targetOf(server) },
      suite: { pictures: {} },
      close: () => server.close(),
    }
  },
  async hooks() {
    const { startHooks, targetOf } = await import('../../../mocks/stateful/hooks.ts')
    const server = await startHooks()
    return { target: targetOf(server), suite: { watch: 200 }, close: () => server.close() }
  },
  async receiver() {
    const { startReceiver, targetOf } = await import('../../../mocks/stateful/receiver.ts')
    const server = await startReceiver()
    return { target: targetOf(server), suite: {}, close: () => server.close() }
  },
  async greeting() {
    const { startGreeting, targetOf } = await import('../../../mocks/stateful/greeting.ts')
    // With TLS and a token, so that all is covered.
    const server = await startGreeting({ tls: true, token: 'greeting-token' })
    return { target: targetOf(server), suite: {}, close: () => server.close() }
  },
  async tools(pattern) {
    const { shown, startTools, targetOf } = await import('../../../mocks/stateful/tools.ts')
    const server = await startTools({ hook: true, choices: shown, auth: authOf(pattern) })
    const { stdio: _, auth, ...tools } = targetOf(server).tools
    const told =
      auth === undefined ? {} : { auth: pattern.startsWith('oauth') ? { ...auth, attempts } : auth }
    return {
      target: { tools: { ...tools, ...told, stdio: subprocess() } },
      suite: {},
      close: () => server.close(),
    }
  },
}

/** Requests that each authorization endpoint takes in a minute: several times what a run makes, and not many to go beyond. */
const attempts = 600

/** A pattern with its usual settings. Of a proxy the suite plays the identity provider: until it says where, there is none. */
function authOf(pattern: Pattern): Auth {
  if (pattern === 'none' || pattern === 'jwt') return { pattern }
  const rules = { requestsPerMinute: attempts }
  if (pattern === 'oauth-provider') return { pattern, rules }
  const upstream = {
    authorizeUrl: 'http://127.0.0.1:9/authorize',
    tokenUrl: 'http://127.0.0.1:9/token',
    userUrl: 'http://127.0.0.1:9/user',
    scopes: ['read:user', 'user:email'],
  }
  return {
    pattern,
    rules,
    env: { CLIENT_ID: 'shelf', CLIENT_SECRET: 'shelf-upstream-secret' },
    upstream,
  }
}

/** The tool server as a subprocess, from the sources where these run. */
function subprocess(): { command: string; args: string[] } {
  const own = fileURLToPath(new URL(`../../touchstone${extname(import.meta.url)}`, import.meta.url))
  return {
    command: process.execPath,
    args: [
      ...(own.endsWith('.ts') ? ['--import', 'tsx'] : []),
      own,
      'mock',
      'tools',
      '--stdio',
      '--upstream',
      '{upstream}',
    ],
  }
}

/** Starts the bundled servers of these sections on free ports, the tool server with a pattern of authentication. */
export async function startBundled(
  sections: readonly Section[],
  pattern: Pattern,
): Promise<Bundled> {
  const started = await Promise.all(sections.map((section) => starters[section](pattern)))
  return {
    target: Object.assign({}, ...started.map(({ target }) => target)) as Bundled['target'],
    suite: Object.assign({}, ...started.map(({ suite }) => suite)) as Bundled['suite'],
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  }
}
