import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'

export type DeliveryPayload = Readonly<Record<string, unknown>>

/** A place where a rule is broken: a JSON pointer, and what stands there. */
interface RuleViolation {
  path: string
  received: string
}

/** How one field of a payload depends on another, which no schema can say. It holds where the payload is of the rule's event by its own word. */
export interface PayloadRule {
  requirement: RequirementId
  event: EventName
  title: string
  name: string
  expected: string
  /** Whether it speaks of this payload. */
  applies: (payload: DeliveryPayload) => boolean
  /** Where it is broken; empty where it holds. */
  findViolations: (payload: DeliveryPayload) => readonly RuleViolation[]
}

export const noViolations: readonly RuleViolation[] = []

export const describe = (value: unknown) =>
  value === undefined ? 'nothing there' : JSON.stringify(value)

/** What a rule says of one place. */
export const violationUnless = (
  path: string,
  held: boolean,
  value: unknown,
): readonly RuleViolation[] => (held ? noViolations : [{ path, received: describe(value) }])

/** What stands at a JSON pointer without escapes. */
export function valueAt(payload: DeliveryPayload, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), payload)
}
