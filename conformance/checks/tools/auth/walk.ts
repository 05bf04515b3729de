import { NotCovered, type Clock } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { Place } from '../place.ts'
import type { AuthAccess } from './access.ts'
import type { Ask } from './ask.ts'

export type Decision = 'approve' | 'deny'

/** The way of a user from a request for authorization to wherever it ended. */
export interface Walk {
  readonly ask: Ask
  /** The address to which the browser was sent back, which begins as the redirect URI does; undefined where it was not. */
  readonly back: URL | undefined
  /** Every answer on the way, the first one of the authorization endpoint. Empty where a program went. */
  readonly exchanges: readonly HttpExchange[]
  /** Where it ended, in one line. */
  readonly summary: string
}

interface Options {
  ask: Ask
  decision: Decision
  auth: AuthAccess
  place: Place
  clock: Clock
  send(request: HttpRequest): Promise<HttpExchange>
  signal: AbortSignal
  timeout: number
}

/** The code with which the browser came back; undefined where there is none. */
export const codeIn = ({ back }: Walk): string | undefined => back?.searchParams.get('code') ?? undefined

export async function walkOf(_options: Options): Promise<Walk> {
  throw new NotCovered('the suite cannot walk yet')
}
