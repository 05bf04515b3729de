import type { Field, Operation } from '../../../generated/contract.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'

/** An answer on its way out, as far as a mutant changes it. */
interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
  raw?: string
}

/** A deviation that is derived from a contract: one place of one kind of message, changed in one way that the contract forbids. */
export interface Mutant<M = Answer> {
  readonly name: string
  readonly says: string
  readonly violates: readonly RequirementId[]
  /** The kind of message: an operation and its outcome, an event. */
  readonly kind: string
  /** Changes the message; undefined where there was nothing to change. Leaves the given one as it is. */
  mutate(message: M): M | undefined
}

/** All mutants of a contract's operations. `root` stands on listings: what breaks these whole breaks its rows too. */
export function mutantsOf(operations: Readonly<Record<string, Operation>>): Mutant[] {
  return Object.values(operations).flatMap((operation) => {
    // Where the contract states nothing about a message, nothing about it can be mutated.
    if (operation.success.fields.length === 0) return []
    return (['success', 'failure'] as const).flatMap((outcome) => [
      ...operation[outcome].fields.flatMap((field) =>
        ofField<Answer>(`${operation.id} ${outcome}`, `a ${outcome} of ${operation.id}`, field),
      ),
      ...ofWhole(operation, outcome),
    ])
  })
}

/** All mutants of one place of the body of a message of that kind; `inWords` names such a message in a sentence. */
export function ofField<M extends { readonly body: unknown }>(
  kind: string,
  inWords: string,
  field: Field,
): Mutant<M>[] {
  const { path, requirement, presence = requirement, value = requirement, required, schema } = field
  const steps = path.split('/').slice(1)
  const here = path === '' ? 'the body' : path
  const made = (how: string, says: string, row: RequirementId, change: Change): Mutant<M> => ({
    name: `${kind}: ${here} ${how}`,
    says: `In ${inWords}, ${here} ${says}.`,
    violates: [row],
    kind,
    mutate: (message) => changed(message, steps, change),
  })
  // A member that may be left out can still be there and be wrong: where the server shows none, the mutant adds one.
  const set = (wrong: unknown) =>
    Object.assign(
      (holder: Holder, key: string | number) =>
        void ((holder as Record<string | number, unknown>)[key] = wrong),
      { adds: !required },
    )
  const types = [schema.type ?? []].flat()
  const mutants: Mutant<M>[] = []
  if (required && path !== '')
    mutants.push(
      made(
        'missing',
        'is missing',
        presence,
        (holder, key) => delete (holder as Record<string | number, unknown>)[key],
      ),
    )
  if (types.length > 0 && !types.includes('null'))
    mutants.push(made('null', 'is null', requirement, set(null)))
  const wrong = wrongTypeOf(types)
  if (wrong !== undefined)
    mutants.push(made('of a wrong type', 'has a wrong type', requirement, set(wrong)))
  if (types.includes('integer'))
    mutants.push(made('a fraction', 'is a fraction', requirement, set(5400.5)))
  if (schema.const !== undefined)
    mutants.push(
      made(
        'the opposite',
        'says the opposite',
        value,
        set(typeof schema.const === 'boolean' ? !schema.const : 'another'),
      ),
    )
  if (schema.enum !== undefined)
    mutants.push(
      made('outside its values', 'is outside its list of values', value, set('none of them')),
    )
  if (schema.pattern !== undefined)
    mutants.push(made('of a wrong form', 'has a wrong form', value, set('yesterday, at noon')))
  const other = otherForm(schema.pattern)
  if (other !== undefined)
    mutants.push(
      made('of the other form', "has the form of other places' timestamps", value, set(other)),
    )
  return mutants
}

/** Where a pattern takes one of the two forms that the documents give to timestamps: a timestamp of the other form. */
function otherForm(pattern: string | undefined): string | undefined {
  const forms = ['2026-03-02T09:15:03Z', '2026-03-02 09:15:03 UTC']
  const wrong = forms.filter((form) => !new RegExp(pattern ?? '', 'u').test(form))
  return wrong.length === 1 ? wrong[0] : undefined
}

function ofWhole(operation: Operation, outcome: 'success' | 'failure'): Mutant[] {
  const made = (
    how: string,
    says: string,
    violates: RequirementId[],
    mutate: Mutant['mutate'],
  ): Mutant => ({
    name: `${operation.id} ${outcome}: ${how}`,
    says: `A ${outcome} of ${operation.id} ${says}.`,
    violates,
    kind: `${operation.id} ${outcome}`,
    mutate,
  })
  const status = (code: number) => (answer: Answer) => ({ ...answer, status: code })
  const type = (value: string) => (answer: Answer) => ({
    ...answer,
    headers: { ...answer.headers, 'Content-Type': value },
  })
  const own = operation.requirement
  return [
    made('no JSON', 'is a page of HTML', ['IMG-ENVELOPE-01'], (answer) => ({
      ...answer,
      raw: '<html><body>done</body></html>',
    })),
    made('no body', 'has no body', ['IMG-ENVELOPE-01'], (answer) => ({ ...answer, raw: '' })),
    made('media type of HTML', 'is announced as HTML', ['IMG-ENVELOPE-09'], type('text/html')),
    made('no media type', 'has no Content-Type', ['IMG-ENVELOPE-09'], type('')),
    ...(outcome === 'success'
      ? [
          made('status 500', 'has the status of a failure', [own, 'IMG-ENVELOPE-03'], status(500)),
          made('status 202', 'has a status outside the table', ['IMG-STATUS-10'], status(202)),
        ]
      : [
          made(
            'status 200',
            'has the status of a success',
            ['IMG-STATUS-01', 'IMG-ENVELOPE-03'],
            status(200),
          ),
          made('status 418', 'has a status outside the table', ['IMG-STATUS-10'], status(418)),
        ]),
  ]
}

type Holder = Record<string, unknown> | unknown[]
type Change = ((holder: Holder, key: string | number) => void) & { adds?: boolean }

/** A value that has none of the types. */
function wrongTypeOf(types: readonly string[]): unknown {
  if (types.length === 0) return undefined
  if (types.includes('boolean')) return 'true'
  if (types.includes('string')) return 42
  if (types.includes('integer') || types.includes('number')) return 'many'
  if (types.includes('array'))
    return types.includes('object') ? 'a text' : { 0: 'not', 1: 'an array' }
  return types.includes('object') ? ['an array'] : undefined
}

/** A copy of the message in which the place at the end of the steps is changed: of an array, in the last item that has it. */
function changed<M extends { readonly body: unknown }>(
  message: M,
  steps: readonly string[],
  change: Change,
): M | undefined {
  const whole: Record<string, unknown> = { body: structuredClone(message.body) }
  return reach(whole, 'body', steps, change) ? { ...message, body: whole['body'] } : undefined
}

/** Goes down the steps from a member of the holder. Says whether it found something to change. */
function reach(
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
      .some((index) => reach(next as Holder, index, rest, change))
  const there =
    (next as Record<string, unknown>)[step] !== undefined ||
    (rest.length === 0 && change.adds === true)
  return there && reach(next as Holder, step, rest, change)
}
