import {
  requirements,
  type Level,
  type RequirementId,
} from '../../../generated/requirements/index.ts'

/** A place at which a delivery differs from its contract. */
export interface DeliveryFinding {
  /** The row that is broken; none where nobody can tell what to judge by. */
  requirement?: RequirementId
  level: Level
  /** A JSON pointer into the payload, the name of a header, or nothing for the whole. */
  path: string
  expected: string
  received: string
}

/** A difference from a row of the catalogue. */
export function finding(
  requirement: RequirementId,
  path: string,
  expected: string,
  received: string,
): DeliveryFinding {
  return { requirement, level: requirements[requirement].level, path, expected, received }
}

/** A value in few characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing there'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
