import { createServer } from 'node:http'
import { applyServing, type Serving } from '../serving/serving.ts'
import { defaultForm, Refusal } from './http/reply.ts'
import { send } from './http/send.ts'
import { listen, closeServer } from './http/server.ts'
import { newOperations, type ResolvedIdentityOptions } from './identity/operations.ts'
import { problemPage } from './oauth/page.ts'
import { newUsers, type NewUser } from './oauth/users.ts'

export interface IdentityOptions {
  /** 0 lets the system choose a free port. */
  port?: number
  /** The credentials of the OAuth client: the server that redirects its users to this provider. */
  clientId?: string
  clientSecret?: string
  /** The allowed redirect URIs; by default any on loopback. */
  redirectUris?: readonly string[]
  /** Whether every browser is signed in as the first user at once, or users sign in on a page. */
  consent?: 'auto' | 'form'
  users?: readonly NewUser[]
  /** The current time in milliseconds since the epoch; by default the real time. */
  now?: () => number
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface IdentityServer {
  authorizeUrl: string
  tokenUrl: string
  userUrl: string
  options: ResolvedIdentityOptions
  close(): Promise<void>
}

/**
 * Starts an identity provider on a port of the loopback address. A tool server with the pattern
 * oauth-proxy needs one as its upstream. If the port is in use, rejects with an error that has a
 * `code` and the `port`.
 */
export async function startIdentity(input: IdentityOptions = {}): Promise<IdentityServer> {
  const {
    port = 0,
    clientId = 'shelf',
    clientSecret = 'shelf-upstream-secret',
    redirectUris,
    consent = 'auto',
    now = Date.now,
    serving,
    users = [{ login: 'ada', email: 'ada@shelf.example', password: 'ada-password' }],
  } = input
  const options: ResolvedIdentityOptions = {
    clientId,
    clientSecret,
    redirectUris,
    consent,
    users,
    now,
  }
  const operate = newOperations(options, await newUsers(users))
  const host = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.on('error', () => {})
    operate(request)
      .catch((error: unknown) => {
        const { status, message } =
          error instanceof Refusal ? error : new Refusal(500, 'Internal server error')
        return problemPage(status, message)
      })
      .then((reply) => send(request, response, reply, defaultForm))
      .catch(() => response.destroy())
  })
  const server = applyServing(host, { name: 'identity', reset: () => {} }, serving)
  const origin = await listen(server, port, serving?.hostname)
  return {
    authorizeUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    userUrl: `${origin}/user`,
    options,
    close: () => closeServer(server),
  }
}
