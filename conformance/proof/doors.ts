import {
  requirements,
  type Requirement,
  type RequirementId,
} from '../../generated/requirements/index.ts'
import type { Message, OnMessage, Verdict } from '../engine/index.ts'
import type { Family } from './family.ts'

// A requirement can apply at several doors: operations of an API, events, transports, ways to
// upload an image, or the labels of an expectation. Servers often meet a requirement at one door
// and violate it at another, so each door needs a fault.

/** Identifies a door of a requirement. */
export const doorKey = (requirement: string, door: string) => `${requirement} at ${door}`

/** The operation or event of a message: its kind without the outcome. */
export const operationOf = ({ kind }: Pick<Message, 'kind'>): string =>
  kind.replace(/ (success|failure|delivery)$/, '')

/**
 * The door whose name is the label at the start of an expectation's name. Undefined if the
 * catalogue lists no such door for the requirement of the check.
 */
function labelledDoor({ requirement }: DoorCheck, name: string): string | undefined {
  const { doors = [] }: Requirement = requirements[requirement]
  return doors.find((door) => name.startsWith(`${door}: `))
}

/** The parts of a check from which its doors are derived. */
interface DoorCheck {
  readonly key: string
  readonly requirement: RequirementId
  readonly door?: string | undefined
}

/**
 * Records at which doors the checks of a run examine their requirements, and at which doors these
 * requirements fail.
 */
export class DoorRecord {
  private readonly checks = new Map<string, DoorCheck>()
  private readonly messages = new Map<number, Message>()
  private readonly examined = new Set<string>()
  private readonly failed = new Set<string>()
  private readonly doorOf: NonNullable<Family['doorOf']> | undefined

  constructor({ doorOf }: Pick<Family, 'doorOf'>) {
    this.doorOf = doorOf
  }

  /** Adds a check of the run. */
  add(check: DoorCheck): void {
    this.checks.set(check.key, check)
  }

  readonly onMessage: OnMessage<Message> = (_key, message, examined) => {
    if (this.doorOf === undefined) return
    this.messages.set(message.number, message)
    for (const [key, met] of examined) {
      const check = this.checks.get(key)
      if (check !== undefined) this.record(check, this.doorOf(message, check.requirement), met)
    }
  }

  private record(check: DoorCheck, door: string | undefined, met: boolean): void {
    if (door === undefined) return
    this.examined.add(doorKey(check.requirement, door))
    if (!met) this.failed.add(doorKey(check.requirement, door))
  }

  /**
   * The doors at which watching checks (those that examine every message) examined a requirement,
   * and the doors of passed checks that examine one door.
   */
  examinedDoors(verdicts: readonly Verdict[]): string[] {
    for (const { key, verdict } of verdicts) {
      const check = this.checks.get(key)
      if (check !== undefined && (verdict === 'pass' || verdict === 'observed'))
        this.record(check, check.door, true)
    }
    return [...this.examined]
  }

  /** The doors at which a requirement was not met. */
  failedDoors(verdicts: readonly Verdict[]): string[] {
    for (const { key, verdict, expectations } of verdicts) {
      const check = this.checks.get(key)
      if (check === undefined || (verdict !== 'fail' && verdict !== 'warn')) continue
      if (check.door !== undefined) this.record(check, check.door, false)
      for (const { name, held, exchange } of expectations) {
        if (held) continue
        const message = exchange === undefined ? undefined : this.messages.get(exchange)
        if (message !== undefined)
          this.record(check, this.doorOf?.(message, check.requirement), false)
        this.record(check, labelledDoor(check, name), false)
      }
    }
    return [...this.failed]
  }
}

/** Doors that the checks of the references examined, but that the catalogue does not list. */
export function listDoorsMissingInCatalogue(examined: readonly string[]): string[] {
  const listed = new Set(listDoors(new Set(Object.keys(requirements))))
  const idOf = (key: string) => key.split(' ')[0] as RequirementId
  const unlisted = [...new Set(examined)].filter(
    (key) => !listed.has(key) && requirements[idOf(key)].level !== 'open',
  )
  // If a requirement has only one door, the catalogue need not list it.
  return unlisted.filter(
    (key) =>
      requirements[idOf(key)].doors !== undefined ||
      unlisted.filter((other) => idOf(other) === idOf(key)).length > 1,
  )
}

/** The keys of all doors that the catalogue lists for these requirements. */
export const listDoors = (ids: ReadonlySet<string>): string[] =>
  Object.values(requirements)
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, doors = [] }) => doors.map((door) => doorKey(id, door)))
