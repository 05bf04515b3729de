import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'

/** The requests that one response greets; empty for a greeting without a name. */
export type RequestGroup = readonly GreetingRequest[]

/** Decides which responses a stream gets, and when. */
export interface Pairing {
  /** The responses to send before the first request. */
  opening?: readonly RequestGroup[]
  /** The responses to send after this request. */
  accept(request: GreetingRequest): readonly RequestGroup[]
  /** The responses to send after the last request. */
  flush(): readonly RequestGroup[]
}

/** Holds requests for later responses, until there are `limit` of them. */
function newBuffer(limit: number, group: (held: RequestGroup) => readonly RequestGroup[]): Pairing {
  let held: GreetingRequest[] = []
  const groupHeld = () => {
    const groups = held.length === 0 ? [] : group(held)
    held = []
    return groups
  }
  return { flush: groupHeld, accept: (request) => (held.push(request) < limit ? [] : groupHeld()) }
}

const single = (request: GreetingRequest): RequestGroup => [request]

const pairings: { readonly [P in GreetingChoices['pairing']]: (limit: number) => Pairing } = {
  one: () => ({ accept: (request) => [[request]], flush: () => [] }),
  two: () => ({ accept: (request) => [[request], [request]], flush: () => [] }),
  batched: (limit) => newBuffer(Math.min(3, limit), (held) => [held]),
  after: (limit) => newBuffer(limit, (held) => held.map(single)),
  backwards: (limit) => newBuffer(limit, (held) => held.map(single).reverse()),
  together: (limit) => newBuffer(limit, (held) => [held]),
  framed: () => ({ opening: [[]], accept: (request) => [[request]], flush: () => [[]] }),
}

export function newPairing({ pairing }: GreetingChoices, limit: number): Pairing {
  return pairings[pairing](limit)
}
