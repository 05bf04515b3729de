import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Deviation } from '../faults/fault.ts'
import type { Choices } from '../stateful/images.ts'

/** One legal way to fill a silence. A level that changes nothing is the reference's own. */
export interface Level {
  readonly name: string
  /** What such a server does, in one sentence. */
  readonly says: string
  readonly choices?: Partial<Choices>
  readonly deviation?: Deviation
  /** Not tried in combinations: it lies between two levels that are. */
  readonly alone?: boolean
  /** Rows of level `should` that it leaves unkept: legal all the same, and warned of. */
  readonly warns?: readonly RequirementId[]
}

/** A freedom, and the levels in which it is tried. */
export interface Factor {
  /** The row that leaves it open, or within whose words it lies; `form` where no row speaks of it. */
  readonly row: RequirementId | 'form'
  /** Unique, in words. */
  readonly factor: string
  readonly levels: readonly Level[]
}

/** Two levels that are not tried together. */
export interface Exclusion {
  readonly levels: readonly [LevelName, LevelName]
  readonly because: string
}

/** A level by the names of its factor and its own. */
export type LevelName = `${string}: ${string}`

/** Whether a level is another server than the reference. */
export function deviates({ choices, deviation }: Level): boolean {
  return choices !== undefined || deviation !== undefined
}

/** The factors with those of their levels that are tried in combinations. */
export function combinable(factors: readonly Factor[]): readonly Factor[] {
  return factors.map((factor) => ({ ...factor, levels: factor.levels.filter(({ alone }) => alone !== true) }))
}

/** How a level is called wherever it stands alone. */
export function nameOf({ factor }: Factor, { name }: Level): LevelName {
  return `${factor}: ${name}`
}
