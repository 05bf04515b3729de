import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'

/** The requests that one response answers; none for a greeting to nobody in particular. */
export type RequestGroup = readonly GreetingRequest[]

/** Decides which responses a stream gets, and when. */
export interface Pairing {
  opening?: readonly RequestGroup[]
  /** What goes out now that this request has come. */
  take(request: GreetingRequest): readonly RequestGroup[]
  /** What goes out after the last request. */
  rest(): readonly RequestGroup[]
}

/** Holds requests back for later, but never more than `limit` of them. */
function later(limit: number, grouped: (kept: RequestGroup) => readonly RequestGroup[]): Pairing {
  let kept: GreetingRequest[] = []
  const rest = () => {
    const groups = kept.length === 0 ? [] : grouped(kept)
    kept = []
    return groups
  }
  return { rest, take: (request) => (kept.push(request) < limit ? [] : rest()) }
}

const single = (request: GreetingRequest): RequestGroup => [request]

const pairings: { readonly [P in GreetingChoices['pairing']]: (limit: number) => Pairing } = {
  one: () => ({ take: (request) => [[request]], rest: () => [] }),
  two: () => ({ take: (request) => [[request], [request]], rest: () => [] }),
  batched: (limit) => later(Math.min(3, limit), (kept) => [kept]),
  after: (limit) => later(limit, (kept) => kept.map(single)),
  backwards: (limit) => later(limit, (kept) => kept.map(single).reverse()),
  together: (limit) => later(limit, (kept) => [kept]),
  framed: () => ({ opening: [[]], take: (request) => [[request]], rest: () => [[]] }),
}

export function newPairing({ pairing }: GreetingChoices, limit: number): Pairing {
  return pairings[pairing](limit)
}
