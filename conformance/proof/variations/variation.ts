import type { RequirementId } from '../../../generated/requirements/index.ts'

/**
 * How a server can differ from the reference: in its choices, in its rules, and by functions that
 * change its requests, replies and messages. The types of requests and replies differ with the
 * server.
 */
export interface AnyDeviation {
  choices?: object
  rules?: object
  /** The path of the base URL. */
  basePath?: string
  /** Wraps every operation. */
  around?: (call: never, next: () => Promise<never>) => Promise<unknown>
  /** Changes or drops a delivery. */
  beforeDelivery?: (delivery: never) => unknown
  /** Handles an HTTP request or stream before the server does, or passes it on. */
  intercept?: (stream: never, headers: never, next: () => void) => void
  /** Wraps a tool call before its input is validated. */
  aroundValidation?: (call: never, next: () => Promise<never>) => Promise<unknown>
  /** Changes a tool definition. */
  definition?: (definition: never) => unknown
  /** Changes, drops or multiplies a message. */
  message?: (direction: never, message: never, transport: never) => unknown
  /** Changes or drops a line of standard output. */
  lines?: (line: string) => string | Uint8Array | undefined
  /** Changes a reply of an authorization server. */
  changeReply?: (endpoint: never, reply: never, request: never) => unknown
}

/**
 * One value of a factor. The first value of each factor is the behaviour of the reference, and
 * changes nothing.
 */
export interface FactorValue<D extends AnyDeviation> {
  readonly name: string
  /** What such a server does, in one sentence: "Returns 201 to an upload." */
  readonly description: string
  readonly choices?: D['choices']
  readonly deviation?: D
  /**
   * If true, the value is tried only alone and not in combinations, for example because it lies
   * between two values that are.
   */
  readonly notCombined?: boolean
  /**
   * Requirements of level `should` that the server does not meet. It still conforms, but the suite
   * warns.
   */
  readonly unmet?: readonly RequirementId[]
}

/**
 * One choice that the contract leaves to servers, with the values that the proof tries. The words
 * `factor` and `value` come from combinatorial testing.
 */
export interface Factor<D extends AnyDeviation> {
  /** The requirement that leaves or allows the choice; 'none' if no requirement mentions it. */
  readonly requirement: RequirementId | 'none'
  /** Unique among the factors of a family. */
  readonly name: string
  readonly values: readonly FactorValue<D>[]
}

/** Two values that are not tried together. */
export interface Exclusion {
  readonly values: readonly [FactorValueName, FactorValueName]
  readonly reason: string
}

/** Names a value: `factor: value`. */
export type FactorValueName = `${string}: ${string}`

/** Whether a value differs from the reference. */
export function isDeviating({
  choices,
  deviation,
}: {
  readonly choices?: unknown
  readonly deviation?: unknown
}): boolean {
  return choices !== undefined || deviation !== undefined
}

/** Returns the factors with only those values that are tried in combinations. */
export function combinableFactors<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
): readonly Factor<D>[] {
  return factors.map((factor) => ({
    ...factor,
    values: factor.values.filter(({ notCombined }) => notCombined !== true),
  }))
}

/** Returns the unique name of a value. */
export function factorValueName(
  factor: { readonly name: string },
  value: { readonly name: string },
): FactorValueName {
  return `${factor.name}: ${value.name}`
}
