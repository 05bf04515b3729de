import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'

export type DeliveryPayload = Readonly<Record<string, unknown>>

/** A violation of a rule: a JSON pointer, and what was received there. */
interface RuleViolation {
  path: string
  received: string
}

/**
 * How one field of a payload depends on another, which a schema cannot express. For payloads whose
 * object_kind is that of the event.
 */
export interface PayloadRule {
  requirement: RequirementId
  event: EventName
  title: string
  name: string
  expected: string
  /** Whether the rule applies to this payload. */
  applies: (payload: DeliveryPayload) => boolean
  /** The violations; none if the rule is met. */
  findViolations: (payload: DeliveryPayload) => readonly RuleViolation[]
}

export const noViolations: readonly RuleViolation[] = []

export const describe = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))

/** A violation at a path, unless the rule is met there. */
export const violationUnless = (
  path: string,
  isMet: boolean,
  value: unknown,
): readonly RuleViolation[] => (isMet ? noViolations : [{ path, received: describe(value) }])

/** The value at a JSON pointer without escapes. */
export function valueAt(payload: DeliveryPayload, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), payload)
}
