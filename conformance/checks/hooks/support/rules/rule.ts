import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'

export type DeliveryPayload = Readonly<Record<string, unknown>>

/** A violation of a rule: a JSON pointer, and what was received there. */
export interface RuleViolation {
  path: string
  received: string
}

/**
 * A rule that the schemas of payloads do not express, such as how one field depends on another. It
 * is tested only for payloads of its `events`, which are recognized by their object_kind.
 */
export interface PayloadRule {
  requirement: RequirementId
  events: readonly EventName[]
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

/** Returns a violation at a path, or none if the rule is met there. */
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

/** An object in a payload, with its JSON pointer. */
export interface LocatedObject {
  path: string
  value: DeliveryPayload
}

export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** All objects of a payload, outer ones first. */
export function listObjects(value: unknown, path = ''): LocatedObject[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => listObjects(item, `${path}/${index}`))
  if (!isObject(value)) return []
  return [
    { path, value },
    ...Object.entries(value).flatMap(([name, member]) =>
      listObjects(member, `${path}/${escapePointer(name)}`),
    ),
  ]
}

/** All arrays of a payload, with their JSON pointers. */
export function listArrays(
  value: unknown,
  path = '',
): { path: string; items: readonly unknown[] }[] {
  if (Array.isArray(value))
    return [
      { path, items: value },
      ...value.flatMap((item: unknown, index) => listArrays(item, `${path}/${index}`)),
    ]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    listArrays(member, `${path}/${escapePointer(name)}`),
  )
}
