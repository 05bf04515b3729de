import {
  requirements,
  type Level,
  type RequirementId,
} from '../../../generated/requirements/index.ts'

/** A part of a delivery that breaks its contract. */
export interface DeliveryFinding {
  /** The requirement that is not met; undefined if the event is unknown. */
  requirement?: RequirementId
  level: Level
  /** A JSON pointer into the payload, the name of a header, or empty for the whole body. */
  path: string
  expected: string
  received: string
}

export function newFinding(
  requirement: RequirementId,
  path: string,
  expected: string,
  received: string,
): DeliveryFinding {
  return { requirement, level: requirements[requirement].level, path, expected, received }
}

/** Returns a value as JSON of at most 120 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
