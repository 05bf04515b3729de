import type { RequirementId } from '../../../generated/requirements/index.ts'

/** How a legal server can differ: in choices that it was built for, and in what stands around its parts. */
export interface AnyDeviation {
  choices?: object
  rules?: object
  // What stands around an operation, and what stands before a delivery: their types are each server's own.
  around?: (call: never, next: () => Promise<never>) => Promise<unknown>
  beforeDelivery?: (delivery: never) => unknown
  // What stands before the protocol: a stream goes through it, or no further.
  intercept?: (stream: never, headers: never, next: () => void) => void
  // What stands before the look at an operation's input, and what changes definitions, messages and lines on their way.
  before?: (call: never, next: () => Promise<never>) => Promise<unknown>
  definition?: (definition: never) => unknown
  message?: (direction: never, message: never, where: never) => unknown
  lines?: (line: string) => string | Uint8Array | undefined
  // What changes answers of an authorization server.
  changeReply?: (endpoint: never, reply: never, request: never) => unknown
}

/** One legal way to fill a silence. A level that changes nothing is the reference's own. */
export interface FactorLevel<D extends AnyDeviation> {
  readonly name: string
  /** What such a server does, in one sentence. */
  readonly says: string
  readonly choices?: D['choices']
  readonly deviation?: D
  /** Not tried in combinations: it lies between two levels that are. */
  readonly alone?: boolean
  /** Rows of level `should` that it leaves unkept: legal all the same, and warned of. */
  readonly warns?: readonly RequirementId[]
}

/** A freedom, and the levels in which it is tried. */
export interface Factor<D extends AnyDeviation> {
  /** The row that leaves it open, or within whose words it lies; `form` where no row speaks of it. */
  readonly row: RequirementId | 'form'
  /** Unique, in words. */
  readonly factor: string
  readonly levels: readonly FactorLevel<D>[]
}

/** Two levels that are not tried together. */
export interface Exclusion {
  readonly levels: readonly [LevelName, LevelName]
  readonly because: string
}

/** A level by the names of its factor and its own. */
export type LevelName = `${string}: ${string}`

/** Whether a level is another server than the reference. */
export function deviates({
  choices,
  deviation,
}: {
  readonly choices?: unknown
  readonly deviation?: unknown
}): boolean {
  return choices !== undefined || deviation !== undefined
}

/** The factors with those of their levels that are tried in combinations. */
export function combinable<D extends AnyDeviation>(
  factors: readonly Factor<D>[],
): readonly Factor<D>[] {
  return factors.map((factor) => ({
    ...factor,
    levels: factor.levels.filter(({ alone }) => alone !== true),
  }))
}

/** How a level is called wherever it stands alone. */
export function nameOf(
  { factor }: { readonly factor: string },
  { name }: { readonly name: string },
): LevelName {
  return `${factor}: ${name}`
}
