import type { RequirementId } from '../../../generated/requirements/index.ts'

/** A field of a message that its contract defines. */
export interface Field {
  /** A JSON pointer, with * for the elements of an array. '' is the whole body. */
  readonly path: string
  /** The requirement that a wrong type breaks. */
  readonly requirement: RequirementId
  /**
   * The requirement that the absence of the field breaks, if it differs from `requirement`. If
   * `required` is false, the field is only recommended, and `validate` accepts its absence.
   */
  readonly presence?: RequirementId
  /**
   * The requirement that a wrong value of the right type breaks, if it differs from `requirement`.
   */
  readonly value?: RequirementId
  /** Whether the field must be present if its parent is. */
  readonly required: boolean
  /** The expected value, in English. */
  readonly expected: string
  /** The schema of the field, without its children. */
  readonly schema: {
    readonly type?: string | readonly string[]
    readonly const?: unknown
    readonly enum?: readonly unknown[]
    readonly pattern?: string
    readonly [keyword: string]: unknown
  }
}

/**
 * What a body contains in place of what the contract requires.
 *
 * @example
 * const line = ({ path, message }: Violation) => `${path}: expected ${message}`
 */
export interface Violation {
  readonly requirement: RequirementId
  /** A JSON pointer into the body. */
  readonly path: string
  /** The expected value, in English. */
  readonly message: string
  /** The received value, or undefined if it is absent. */
  readonly received: unknown
}

/** A condition on a whole body that concerns no single field, such as the keyword `not`. */
export interface Condition {
  /** The place of the keyword in the schema, such as `#/not`. */
  readonly schemaPath: string
  readonly requirement: RequirementId
  /** The expected value, in English. */
  readonly expected: string
}

export interface MessageContract {
  readonly operation: string
  readonly outcome: 'success' | 'failure'
  readonly fields: readonly Field[]
  readonly conditions: readonly Condition[]
  validate(body: unknown): Violation[]
}

export interface Operation {
  readonly id: string
  readonly host: string
  readonly method: string
  /** The path template, with parameters in braces. */
  readonly path: string
  readonly requirement: RequirementId
  readonly success: MessageContract
  readonly failure: MessageContract
}

/**
 * An error of a generated validator. `instancePath` is a JSON pointer into the value.
 *
 * @example
 * const line = ({ instancePath, message }: ValidationError) => `${instancePath} ${message}`
 */
export interface ValidationError {
  readonly instancePath: string
  readonly schemaPath?: string
  readonly keyword: string
  readonly params: { readonly [name: string]: unknown }
  readonly message?: string
}

/**
 * A generated validator. After a call that returned false, `errors` contains the reasons.
 *
 * @example
 * function parse<T>(json: string, validate: Validator<T>): T {
 *   const value: unknown = JSON.parse(json)
 *   if (validate(value)) return value
 *   throw new TypeError(JSON.stringify(validate.errors))
 * }
 */
export interface Validator<T> {
  (value: unknown): value is T
  errors?: readonly ValidationError[] | null
}

/** Returns a message contract that maps validator errors to requirements. */
export function message(
  operation: string,
  outcome: MessageContract['outcome'],
  validator: Validator<unknown>,
  fields: readonly Field[],
  conditions: readonly Condition[] = [],
): MessageContract {
  const fieldMap = fieldsByPath(fields)
  const isOf = (condition: Condition) => (error: ValidationError) =>
    error.instancePath === '' && error.schemaPath === condition.schemaPath
  return {
    operation,
    outcome,
    fields,
    conditions,
    validate(body) {
      if (fields.length === 0 || validator(body)) return []
      const errors = validator.errors ?? []
      return [
        ...attribute(
          fieldMap,
          errors.filter((error) => !conditions.some((condition) => isOf(condition)(error))),
          body,
        ),
        // A condition says nothing about a body of another type.
        ...conditions
          .filter((condition) => !hasOtherType(errors) && errors.some(isOf(condition)))
          .map(({ requirement, expected }) => ({
            requirement,
            path: '',
            message: expected,
            received: body,
          })),
      ]
    },
  }
}

const hasOtherType = (errors: readonly ValidationError[]) =>
  errors.some(({ instancePath, keyword }) => instancePath === '' && keyword === 'type')

const cache = new WeakMap<readonly Field[], ReadonlyMap<string, Field>>()
function fieldsByPath(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const fieldMap = cache.get(fields) ?? new Map(fields.map((field) => [field.path, field]))
  cache.set(fields, fieldMap)
  return fieldMap
}

/** Returns one violation per path. Absence and wrong types take precedence over wrong values. */
export function attribute(
  fieldMap: ReadonlyMap<string, Field>,
  errors: readonly ValidationError[],
  body: unknown,
): Violation[] {
  const found = new Map<string, { rank: number; violation: Violation }>()
  for (const { keyword, instancePath, schemaPath = '', params } of errors) {
    // Ignores errors that repeat others. Errors of `if` come in addition to those of the branch
    // that applies, and errors of the items inside `contains` in addition to that of `contains`.
    if (keyword === 'if' || /(?<!\/properties)\/contains\//.test(schemaPath)) continue
    const absent = keyword === 'required'
    const path = absent ? `${instancePath}/${escape(String(params.missingProperty))}` : instancePath
    const rank = absent || keyword === 'type' ? 0 : 1
    const previous = found.get(path)
    if (previous && previous.rank <= rank) continue
    const { field, exact } = nearest(fieldMap, path)
    const requirement =
      !exact || keyword === 'type'
        ? field.requirement
        : ((absent ? field.presence : field.value) ?? field.requirement)
    found.set(path, {
      rank,
      violation: {
        requirement,
        path,
        message: exact ? field.expected : 'a value that the contract allows',
        received: absent ? undefined : valueAt(body, path),
      },
    })
  }
  return [...found.values()].map(({ violation }) => violation)
}

/**
 * Returns the field of a concrete path. If there is none, returns the field of the closest
 * ancestor, and `exact` is false.
 */
function nearest(
  fieldMap: ReadonlyMap<string, Field>,
  path: string,
): { field: Field; exact: boolean } {
  let pattern = ''
  for (const step of path.split('/').slice(1)) {
    if (fieldMap.has(`${pattern}/${step}`)) pattern += `/${step}`
    else if (/^\d+$/.test(step) && fieldMap.has(`${pattern}/*`)) pattern += '/*'
    else return { field: fieldMap.get(pattern)!, exact: false }
  }
  return { field: fieldMap.get(pattern)!, exact: true }
}

function valueAt(body: unknown, path: string): unknown {
  let value: any = body
  for (const step of path.split('/').slice(1))
    value = value?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return value
}

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
