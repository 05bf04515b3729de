import type { Field, Operation } from '../../../generated/contract.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'

/** The parts of a response that a mutant changes. */
interface Response {
  status: number
  headers?: Record<string, string>
  body: unknown
  raw?: string
}

/**
 * A deviation that is generated from a contract: one field of one kind of message, changed in one
 * way that the contract forbids.
 */
export interface Mutant<M = Response> {
  readonly name: string
  readonly description: string
  readonly violates: readonly RequirementId[]
  /** The kind of message: an operation with its outcome, or an event. */
  readonly messageKind: string
  /** Returns a changed copy of the message; undefined if there was nothing to change. */
  mutate(message: M): M | undefined
}

/** Makes all mutants of the operations of a contract. */
export function operationMutants(operations: Readonly<Record<string, Operation>>): Mutant[] {
  return Object.values(operations).flatMap((operation) => {
    // A message about which the contract states nothing cannot be mutated.
    if (operation.success.fields.length === 0) return []
    return (['success', 'failure'] as const).flatMap((outcome) => [
      ...operation[outcome].fields.flatMap((field) =>
        fieldMutants<Response>(
          `${operation.id} ${outcome}`,
          `a ${outcome} of ${operation.id}`,
          field,
        ),
      ),
      ...wholeMessageMutants(operation, outcome),
    ])
  })
}

/**
 * Makes all mutants of one field in the body of a message. `messageName` is the name of the message
 * in a sentence, such as `a success of getImage`.
 */
export function fieldMutants<M extends { readonly body: unknown }>(
  kind: string,
  messageName: string,
  { path, requirement, presence, value = requirement, required, schema }: Field,
): Mutant<M>[] {
  const steps = path.split('/').slice(1)
  const field = path === '' ? 'the body' : path
  const newMutant = (
    how: string,
    description: string,
    violated: RequirementId,
    change: Change,
  ): Mutant<M> => ({
    name: `${kind}: ${field} ${how}`,
    description: `In ${messageName}, ${field} ${description}.`,
    violates: [violated],
    messageKind: kind,
    mutate: (message) => applyAt(message, steps, change),
  })
  // The value of an optional member can be wrong only if the member exists. So the mutant adds the
  // member if the server omits it.
  const set = (wrong: unknown) =>
    Object.assign(
      (holder: Holder, key: string | number) =>
        void ((holder as Record<string | number, unknown>)[key] = wrong),
      { adds: !required },
    )
  const types = [schema.type ?? []].flat()
  const mutants: Mutant<M>[] = []
  // A field that is not required and has a requirement for its presence is recommended.
  if ((required || presence !== undefined) && path !== '')
    mutants.push(
      newMutant(
        'missing',
        'is missing',
        presence ?? requirement,
        (holder, key) => delete (holder as Record<string | number, unknown>)[key],
      ),
    )
  if (types.length > 0 && !types.includes('null'))
    mutants.push(newMutant('null', 'is null', requirement, set(null)))
  if ('not' in schema) mutants.push(newMutant('null', 'is null', value, set(null)))
  const wrong = wrongTypeOf(types)
  if (wrong !== undefined)
    mutants.push(newMutant('of a wrong type', 'has a wrong type', requirement, set(wrong)))
  if (types.includes('integer'))
    mutants.push(newMutant('a fraction', 'is a fraction', requirement, set(5400.5)))
  if (schema.const !== undefined)
    mutants.push(
      newMutant(
        'the opposite',
        'has the opposite value',
        value,
        set(typeof schema.const === 'boolean' ? !schema.const : 'another'),
      ),
    )
  if (schema.enum !== undefined)
    mutants.push(
      newMutant('outside its values', 'is outside its list of values', value, set('none of them')),
    )
  if (schema.pattern !== undefined)
    mutants.push(
      newMutant('of a wrong form', 'has a wrong form', value, set(wrongFormOf(schema.pattern))),
    )
  for (const [how, wrongValue] of outOfBounds(schema))
    mutants.push(newMutant(how, `is ${how}`, value, set(wrongValue)))
  const other = otherTimestampForm(schema.pattern)
  if (other !== undefined)
    mutants.push(
      newMutant(
        'of the other form',
        'has the form of other timestamps of the contract',
        value,
        set(other),
      ),
    )
  return mutants
}

/** Values that the bounds of a schema exclude, each with a description. */
function outOfBounds({ minimum, minLength, minItems, contains }: Field['schema']) {
  const wrong: [how: string, value: unknown][] = []
  if (typeof minimum === 'number') wrong.push(['below its minimum', minimum - 1])
  if (minLength === 1) wrong.push(['an empty string', ''])
  if (minItems === 1) wrong.push(['an empty array', []])
  if (contains !== undefined) wrong.push(['without the item that it must contain', ['another']])
  return wrong
}

/** A string that the pattern does not match. */
const wrongFormOf = (pattern: string): string =>
  new RegExp(pattern, 'u').test('yesterday, at noon') ? '' : 'yesterday, at noon'

/**
 * The documents have two forms of timestamps. If a pattern matches only one of them, returns a
 * timestamp of the other form.
 */
function otherTimestampForm(pattern: string | undefined): string | undefined {
  const forms = ['2026-03-02T09:15:03Z', '2026-03-02 09:15:03 UTC']
  const wrong = forms.filter((form) => !new RegExp(pattern ?? '', 'u').test(form))
  return wrong.length === 1 ? wrong[0] : undefined
}

function wholeMessageMutants(operation: Operation, outcome: 'success' | 'failure'): Mutant[] {
  const newMutant = (
    how: string,
    description: string,
    violates: RequirementId[],
    mutate: Mutant['mutate'],
  ): Mutant => ({
    name: `${operation.id} ${outcome}: ${how}`,
    description: `A ${outcome} of ${operation.id} ${description}.`,
    violates,
    messageKind: `${operation.id} ${outcome}`,
    mutate,
  })
  const status = (code: number) => (response: Response) => ({ ...response, status: code })
  const type = (value: string) => (response: Response) => ({
    ...response,
    headers: { ...response.headers, 'Content-Type': value },
  })
  const requirement = operation.requirement
  return [
    newMutant('no JSON', 'is a page of HTML', ['IMG-ENVELOPE-01'], (response) => ({
      ...response,
      raw: '<html><body>done</body></html>',
    })),
    newMutant('no body', 'has no body', ['IMG-ENVELOPE-01'], (response) => ({
      ...response,
      raw: '',
    })),
    newMutant(
      'media type of HTML',
      'has the media type of HTML',
      ['IMG-ENVELOPE-09'],
      type('text/html'),
    ),
    newMutant('no media type', 'has no Content-Type', ['IMG-ENVELOPE-09'], type('')),
    ...(outcome === 'success'
      ? [
          newMutant(
            'status 500',
            'has the status of a failure',
            [requirement, 'IMG-ENVELOPE-03'],
            status(500),
          ),
          newMutant('status 202', 'has a status outside the table', ['IMG-STATUS-10'], status(202)),
        ]
      : [
          newMutant(
            'status 200',
            'has the status of a success',
            ['IMG-STATUS-01', 'IMG-ENVELOPE-03'],
            status(200),
          ),
          newMutant('status 418', 'has a status outside the table', ['IMG-STATUS-10'], status(418)),
        ]),
  ]
}

type Holder = Record<string, unknown> | unknown[]
type Change = ((holder: Holder, key: string | number) => void) & { adds?: boolean }

/** Returns a value that has none of the types. */
function wrongTypeOf(types: readonly string[]): unknown {
  if (types.length === 0) return undefined
  if (types.includes('boolean')) return 'true'
  if (types.includes('string')) return 42
  if (types.includes('integer') || types.includes('number')) return 'many'
  if (types.includes('array'))
    return types.includes('object') ? 'a string' : { 0: 'not', 1: 'an array' }
  return types.includes('object') ? ['an array'] : undefined
}

/**
 * Returns a copy of the message, changed at the end of the steps; undefined if there is nothing at
 * their end. In an array, the last item that has the field is changed.
 */
function applyAt<M extends { readonly body: unknown }>(
  message: M,
  steps: readonly string[],
  change: Change,
): M | undefined {
  const whole: Record<string, unknown> = { body: structuredClone(message.body) }
  return changeAt(whole, 'body', steps, change) ? { ...message, body: whole['body'] } : undefined
}

/**
 * Follows the steps from a member of `holder`, and changes the value at their end. Returns whether
 * there is such a value.
 */
function changeAt(
  holder: Holder,
  key: string | number,
  [step, ...rest]: readonly string[],
  change: Change,
): boolean {
  const members = holder as Record<string | number, unknown>
  if (step === undefined) {
    change(holder, key)
    return true
  }
  const next = members[key]
  if (typeof next !== 'object' || next === null) return false
  if (step === '*')
    return (next as unknown[])
      .map((_, index) => index)
      .toReversed()
      .some((index) => changeAt(next as Holder, index, rest, change))
  const exists =
    (next as Record<string, unknown>)[step] !== undefined ||
    (rest.length === 0 && change.adds === true)
  return exists && changeAt(next as Holder, step, rest, change)
}
