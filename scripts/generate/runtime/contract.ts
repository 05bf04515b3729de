import type { RequirementId } from '../../../generated/requirements/index.ts'

/** A place of a message of which its contract says something. */
export interface Field {
  /** JSON pointer, with * for the elements of an array; '' is the whole body. */
  readonly path: string
  /** The row that a wrong type breaks. */
  readonly requirement: RequirementId
  /** The row that absence breaks, where it is another one. */
  readonly presence?: RequirementId
  /** The row that a wrong value of the right type breaks, where it is another one. */
  readonly value?: RequirementId
  /** Whether it must be there when what holds it is. */
  readonly required: boolean
  /** What must stand there, in plain words. */
  readonly expected: string
  /** What the schema says of the place itself. */
  readonly schema: {
    readonly type?: string | readonly string[]
    readonly const?: unknown
    readonly enum?: readonly unknown[]
    readonly pattern?: string
    readonly [keyword: string]: unknown
  }
}

export interface Violation {
  readonly requirement: RequirementId
  /** Where in the body, as a JSON pointer. */
  readonly path: string
  /** What was expected there, in plain words. */
  readonly message: string
  /** What stands there; undefined where nothing does. */
  readonly received: unknown
}

export interface MessageContract {
  readonly operation: string
  readonly outcome: 'success' | 'failure'
  readonly fields: readonly Field[]
  validate(body: unknown): Violation[]
}

export interface Operation {
  readonly id: string
  readonly host: string
  readonly method: string
  /** With the parameters in braces. */
  readonly path: string
  readonly requirement: RequirementId
  readonly success: MessageContract
  readonly failure: MessageContract
}

/** What a generated validator reports. */
export interface ValidationError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: { readonly [name: string]: unknown }
  readonly message?: string
}

/** A generated validator. After a call that returned false, `errors` tells why. */
export interface Validator<T> {
  (value: unknown): value is T
  errors?: readonly ValidationError[] | null
}

/** A message whose validator's errors are traced to the rows of the catalogue. */
export function message(
  operation: string,
  outcome: MessageContract['outcome'],
  validator: Validator<unknown>,
  fields: readonly Field[],
): MessageContract {
  const places = placesOf(fields)
  return {
    operation,
    outcome,
    fields,
    validate(body) {
      if (fields.length === 0 || validator(body)) return []
      return attribute(places, validator.errors ?? [], body)
    },
  }
}

const known = new WeakMap<readonly Field[], ReadonlyMap<string, Field>>()
function placesOf(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const places = known.get(fields) ?? new Map(fields.map((field) => [field.path, field]))
  known.set(fields, places)
  return places
}

/** One violation for each place and way in which it is wrong: absent, of a wrong type, or else of a wrong value. */
export function attribute(
  places: ReadonlyMap<string, Field>,
  errors: readonly ValidationError[],
  body: unknown,
): Violation[] {
  const found = new Map<string, { rank: number; violation: Violation }>()
  for (const { keyword, instancePath, params } of errors) {
    const absent = keyword === 'required'
    const path = absent ? `${instancePath}/${escape(String(params.missingProperty))}` : instancePath
    const rank = absent || keyword === 'type' ? 0 : 1
    const before = found.get(path)
    if (before && before.rank <= rank) continue
    const { field, exact } = nearest(places, path)
    const row =
      !exact || keyword === 'type'
        ? field.requirement
        : ((absent ? field.presence : field.value) ?? field.requirement)
    found.set(path, {
      rank,
      violation: {
        requirement: row,
        path,
        message: exact ? field.expected : 'a value that the contract allows',
        received: absent ? undefined : at(body, path),
      },
    })
  }
  return [...found.values()].map(({ violation }) => violation)
}

/** The field of a concrete path, or of the closest place above it that has one. */
function nearest(
  places: ReadonlyMap<string, Field>,
  path: string,
): { field: Field; exact: boolean } {
  let at = ''
  for (const step of path.split('/').slice(1)) {
    if (places.has(`${at}/${step}`)) at += `/${step}`
    else if (/^\d+$/.test(step) && places.has(`${at}/*`)) at += '/*'
    else return { field: places.get(at)!, exact: false }
  }
  return { field: places.get(at)!, exact: true }
}

function at(body: unknown, path: string): unknown {
  let value: any = body
  for (const step of path.split('/').slice(1))
    value = value?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return value
}

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
