import type { IncomingMessage } from 'node:http'
import type { Reply } from '../../http/reply.ts'

/** Whom a request comes from, as tools are told of it. */
export interface User {
  login: string
  email?: string | undefined
  /** What the upstream identity provider gave; never told to anybody. */
  accessToken?: string | undefined
  /** What the user allowed; everything where the pattern knows no such limits. */
  scopes?: readonly string[] | undefined
}

/** Let in, on behalf of somebody where the pattern knows that; or the answer that takes its place. */
export type Admission = { user: User | undefined } | { reply: Reply }

/** One of the four patterns: who may use the tools over HTTP. On stdio nobody is asked. */
export interface Guard {
  readonly pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'
  /** Is told the origin at which the server listens, before any request. */
  opened(origin: string): void
  /** Answers what is the pattern's own, such as /authorize; undefined for all other paths. */
  own(request: IncomingMessage): Promise<Reply> | undefined
  /** Judges a request for a transport. */
  admit(request: IncomingMessage): Promise<Admission>
}

/** Pattern 1: whoever knows the URL. */
export const open: Guard = {
  pattern: 'none',
  opened: () => {},
  own: () => undefined,
  admit: async () => ({ user: undefined }),
}

/** Tells a request's user to the SDK's transports, which hand it on to every message of the request. */
export function named(request: IncomingMessage, user: User | undefined): void {
  if (user !== undefined)
    Object.assign(request, { auth: { token: '', clientId: '', scopes: [], extra: { user } } })
}

/** The user of a request or a message, of whom `named` has told. */
export function userOf(holder: { extra?: Record<string, unknown> } | undefined): User | undefined {
  return holder?.extra?.['user'] as User | undefined
}

/** Whether a request may use a session: its user opened it, unless sessions are for everybody. */
export function mayUse(
  request: IncomingMessage,
  { owner }: { owner: string | undefined },
  { sessionsFor }: { sessionsFor: 'their user' | 'everybody' },
): boolean {
  return sessionsFor === 'everybody' || ownerOf(request) === owner
}

/** The login of whom `named` has told. */
export const ownerOf = (request: IncomingMessage): string | undefined =>
  userOf((request as { auth?: { extra?: Record<string, unknown> } }).auth)?.login

/** The path of a request, without its query. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0]!

/** A short text, as bytes: no JSON. */
export const plain = (
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  body: Buffer.from(text),
  headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
})
