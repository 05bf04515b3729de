import type { RequirementId } from '../../../generated/requirements/index.ts'

/**
 * How a server can differ from the reference: in its choices and rules, and in functions that
 * change what passes through it. The types of requests and replies differ with the server.
 */
export interface AnyDeviation {
  choices?: object
  rules?: object
  /** Wraps every operation. */
  around?: (call: never, next: () => Promise<never>) => Promise<unknown>
  /** Changes or drops a delivery. */
  beforeDelivery?: (delivery: never) => unknown
  /** Handles a stream before the protocol does, or passes it on. */
  intercept?: (stream: never, headers: never, next: () => void) => void
  /** Wraps a tool call before its input is validated. */
  before?: (call: never, next: () => Promise<never>) => Promise<unknown>
  /** Changes a tool definition. */
  definition?: (definition: never) => unknown
  /** Changes, drops or multiplies a message. */
  message?: (direction: never, message: never, transport: never) => unknown
  /** Changes or drops a line of standard output. */
  lines?: (line: string) => string | Uint8Array | undefined
  /** Changes a reply of an authorization server. */
  changeReply?: (endpoint: never, reply: never, request: never) => unknown
}

/** One way to use a freedom. The first level of a factor changes nothing: it is the reference's. */
export interface FactorLevel<D extends AnyDeviation> {
  readonly name: string
  /** What such a server does, in one sentence: "Returns 201 to an upload." */
  readonly description: string
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Not tried in combinations, for example because it lies between two levels that are. */
  readonly notCombined?: boolean
  /** Requirements of level `should` that it does not meet. It conforms, and the suite warns. */
  readonly unmet?: readonly RequirementId[]
}

/** A freedom that the contract leaves, and the levels in which it is tried. */
export interface Factor<D extends AnyDeviation> {
  /** The requirement that leaves or allows it; `form` if no requirement mentions it. */
  readonly requirement: RequirementId | 'form'
  /** Unique, in words. */
  readonly name: string
  readonly levels: readonly FactorLevel<D>[]
}

/** Two levels that are not tried together. */
export interface Exclusion {
  readonly levels: readonly [LevelName, LevelName]
  readonly reason: string
}

/** A level, as `factor: level`. */
export type LevelName = `${string}: ${string}`

/** Whether a level differs from the reference. */
export function isDeviating({
  choices,
  deviation,
}: {
  readonly choices?: unknown
  readonly deviation?: unknown
}): boolean {
  return choices !== undefined || deviation !== undefined
}

/** Returns the factors with only those levels that are tried in combinations. */
export function combinableFactors<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
): readonly Factor<D>[] {
  return factors.map((factor) => ({
    ...factor,
    levels: factor.levels.filter(({ notCombined }) => notCombined !== true),
  }))
}

/** Returns the unique name of a level. */
export function levelName(
  factor: { readonly name: string },
  level: { readonly name: string },
): LevelName {
  return `${factor.name}: ${level.name}`
}
