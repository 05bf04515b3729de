import type { HttpRequest } from '../../../wire/index.ts'
import type { Client } from './client.ts'

/** How a client authenticates at the token endpoint. */
export type ClientAuthentication = Client['method']

/**
 * The names of the clients in the pool, by method. With the client `public` and that of the bearer
 * token, these are at most ten, because servers may limit registrations. The authorization server
 * of the MCP SDK, for example, allows twenty per hour.
 */
export const sharedNames: Readonly<Record<ClientAuthentication, readonly [string, ...string[]]>> = {
  none: ['shared 1', 'shared 2', 'shared 3'],
  client_secret_post: ['shared with a secret 1', 'shared with a secret 2'],
  client_secret_basic: ['shared with a secret in the header'],
}

/** The name of the client whose token all checks send. */
export const bearerClient = 'for the bearer token'

/**
 * The pool: the clients of a run that checks use one after the other, and what is known about
 * registrations.
 */
export class ClientPool {
  /** A registration request that the server has accepted. */
  accepted: HttpRequest | undefined
  /** Why the server registers no more clients in this run; undefined while it registers them. */
  limit: string | undefined
  private readonly uses = new Map<string, number>()
  private readonly refused = new Set<string>()

  /**
   * The names of the clients with this method, except those that the server refused to register.
   */
  names(method: ClientAuthentication): readonly string[] {
    return sharedNames[method].filter((name) => !this.refused.has(name))
  }

  /**
   * Returns the name that the fewest checks use or wait for, and counts this use. Undefined if
   * `names` is empty.
   */
  acquire(names: readonly string[]): string | undefined {
    const [name] = [...names].sort((one, other) => this.usesOf(one) - this.usesOf(other))
    if (name !== undefined) this.uses.set(name, this.usesOf(name) + 1)
    return name
  }

  /** Ends one use of a name. */
  release(name: string): void {
    this.uses.set(name, this.usesOf(name) - 1)
  }

  /** Records that the server does not register the client with this name. */
  refuse(name: string): void {
    this.refused.add(name)
  }

  private usesOf(name: string): number {
    return this.uses.get(name) ?? 0
  }
}
