import type { IncomingMessage } from 'node:http'
import type { Audit } from '../../audit.ts'
import type { Reply } from '../../http/reply.ts'
import type { ToolsClock } from '../clock.ts'

/** The authenticated user, as passed to tools. */
export interface User {
  login: string
  email?: string | undefined
  /** The access token of the upstream identity provider; never sent to clients. */
  accessToken?: string | undefined
  /** The granted scopes; undefined if the pattern has no scopes. */
  scopes?: readonly string[] | undefined
  /** The id of the OAuth client that calls; undefined if the pattern has no clients. */
  client?: string | undefined
}

/**
 * The result of authenticating a request: the user, if the pattern has users, or the reply that
 * refuses the request.
 */
export type Admission = { user: User | undefined } | { reply: Reply }

/** One of the four authentication patterns for HTTP. stdio has no authentication. */
export interface Guard {
  readonly pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'
  /** Called with the server's origin, before any request. */
  setOrigin(origin: string): void
  /** Handles the pattern's own endpoints, such as /authorize; undefined for all other paths. */
  handleEndpoint(request: IncomingMessage): Promise<Reply> | undefined
  /** Authenticates a request for a transport. */
  admit(request: IncomingMessage): Promise<Admission>
}

/** What a guard needs from its server. */
export interface GuardContext {
  clock: ToolsClock
  audit: Audit
  /** The paths at which clients open the transports that the server offers, such as /mcp. */
  resources: readonly string[]
}

/** The pattern none: no authentication. */
export const noAuthenticationGuard: Guard = {
  pattern: 'none',
  setOrigin: () => {},
  handleEndpoint: () => undefined,
  admit: async () => ({ user: undefined }),
}

/** Attaches the user to a request. The SDK's transports pass it to every message of the request. */
export function attachUser(request: IncomingMessage, user: User | undefined): void {
  if (user !== undefined)
    Object.assign(request, { auth: { token: '', clientId: '', scopes: [], extra: { user } } })
}

/** The user that `attachUser` attached to a request or its messages. */
export function userOf(holder: { extra?: Record<string, unknown> } | undefined): User | undefined {
  return holder?.extra?.['user'] as User | undefined
}

/** Whether the user of a request may use a session. */
export function mayUseSession(
  request: IncomingMessage,
  { owner }: { owner: string | undefined },
  { sessionsFor }: { sessionsFor: 'owner' | 'everyone' },
): boolean {
  return sessionsFor === 'everyone' || ownerOf(request) === owner
}

/** The login of the attached user. */
export const ownerOf = (request: IncomingMessage): string | undefined =>
  userOf((request as { auth?: { extra?: Record<string, unknown> } }).auth)?.login

/** The path of a request, without its query. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0]!

/** A plain text reply. */
export const textReply = (
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  body: Buffer.from(text),
  headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
})
