/**
 * How a change affects users of the types of a contract: their code breaks, or it does not, or only
 * descriptions and examples have changed.
 */
export type Level = 'breaking' | 'compatible' | 'documentation'

/** Who writes a value: the user of the types, the other side, or, if it is not known, either. */
export type Direction = 'sent' | 'received' | 'both'

/**
 * How a change affects the set of values that a schema accepts. `other`: neither set contains the
 * other one.
 */
export type Effect = 'narrower' | 'wider' | 'other'

/** A change of a contract. */
export interface ContractChange {
  readonly level: Level
  /** The kind of the change, for programs. */
  readonly code: string
  /** Where in the contract, such as `GET /images, response 200: /result/id`. */
  readonly place: string
  /** What has changed, for people. */
  readonly text: string
}

/**
 * Whether a change of the accepted values breaks users. What they send must still be accepted, and
 * what they receive must still be expected.
 */
export function levelOf(effect: Effect, direction: Direction): Level {
  if (effect === 'narrower') return direction === 'received' ? 'compatible' : 'breaking'
  if (effect === 'wider') return direction === 'sent' ? 'compatible' : 'breaking'
  return 'breaking'
}

/** Collects changes. A change that several places share is collected once. */
export class ChangeList {
  readonly #found = new Map<string, ContractChange>()

  add(level: Level, code: string, place: string, text: string): void {
    this.#found.set([level, code, place, text].join('\n'), { level, code, place, text })
  }

  /** The changes, the breaking ones first. */
  list(): ContractChange[] {
    const order: readonly Level[] = ['breaking', 'compatible', 'documentation']
    const all = [...this.#found.values()]
    return order.flatMap((level) => all.filter((change) => change.level === level))
  }
}
