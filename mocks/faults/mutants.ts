import type { Field, Operation } from '../../generated/contract.ts'
import type { RequirementId } from '../../generated/requirements/index.ts'

/** An answer on its way out, as far as a mutant changes it. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
  raw?: string
}

/** A deviation that is derived from a contract: one place of one kind of answer, changed in one way that the contract forbids. */
export interface Mutant {
  readonly name: string
  readonly says: string
  readonly violates: readonly RequirementId[]
  readonly operation: string
  readonly outcome: 'success' | 'failure'
  /** Changes the answer; undefined where there was nothing to change. Leaves the given one as it is. */
  mutate(answer: Answer): Answer | undefined
}

/** All mutants of a contract's operations. `root` stands on listings: what breaks these whole breaks its rows too. */
export function mutantsOf(operations: Readonly<Record<string, Operation>>): Mutant[] {
  return Object.values(operations).flatMap((operation) => {
    // Where the contract states nothing about a message, nothing about it can be mutated.
    if (operation.success.fields.length === 0) return []
    return (['success', 'failure'] as const).flatMap((outcome) => [
      ...operation[outcome].fields.flatMap((field) => ofField(operation, outcome, field)),
      ...ofWhole(operation, outcome),
    ])
  })
}

function ofField(operation: Operation, outcome: Mutant['outcome'], field: Field): Mutant[] {
  const { path, requirement, presence = requirement, value = requirement, required, schema } = field
  const steps = path.split('/').slice(1)
  const here = path === '' ? 'the body' : path
  const made = (how: string, says: string, row: RequirementId, change: Change): Mutant => ({
    name: `${operation.id} ${outcome}: ${here} ${how}`,
    says: `In a ${outcome} of ${operation.id}, ${here} ${says}.`,
    violates: [row],
    operation: operation.id,
    outcome,
    mutate: (answer) => changed(answer, steps, change),
  })
  // A member that may be left out can still be there and be wrong: where the server shows none, the mutant adds one.
  const set = (wrong: unknown) => Object.assign((holder: Holder, key: string | number) => void ((holder as Record<string | number, unknown>)[key] = wrong), { adds: !required })
  const types = [schema.type ?? []].flat()
  const mutants: Mutant[] = []
  if (required && path !== '') mutants.push(made('missing', 'is missing', presence, (holder, key) => delete (holder as Record<string | number, unknown>)[key]))
  if (types.length > 0 && !types.includes('null')) mutants.push(made('null', 'is null', requirement, set(null)))
  const wrong = wrongTypeOf(types)
  if (wrong !== undefined) mutants.push(made('of a wrong type', 'has a wrong type', requirement, set(wrong)))
  if (types.includes('integer')) mutants.push(made('a fraction', 'is a fraction', requirement, set(5400.5)))
  if (schema.const !== undefined) mutants.push(made('the opposite', 'says the opposite', value, set(typeof schema.const === 'boolean' ? !schema.const : 'another')))
  if (schema.enum !== undefined) mutants.push(made('outside its values', 'is outside its list of values', value, set('none of them')))
  if (schema.pattern !== undefined) mutants.push(made('of a wrong form', 'has a wrong form', value, set('yesterday, at noon')))
  return mutants
}

function ofWhole(operation: Operation, outcome: Mutant['outcome']): Mutant[] {
  const made = (how: string, says: string, violates: RequirementId[], mutate: Mutant['mutate']): Mutant => ({
    name: `${operation.id} ${outcome}: ${how}`,
    says: `A ${outcome} of ${operation.id} ${says}.`,
    violates,
    operation: operation.id,
    outcome,
    mutate,
  })
  const status = (code: number) => (answer: Answer) => ({ ...answer, status: code })
  const type = (value: string) => (answer: Answer) => ({ ...answer, headers: { ...answer.headers, 'Content-Type': value } })
  const own = operation.requirement
  return [
    made('no JSON', 'is a page of HTML', ['IMG-ENVELOPE-01'], (answer) => ({ ...answer, raw: '<html><body>done</body></html>' })),
    made('no body', 'has no body', ['IMG-ENVELOPE-01'], (answer) => ({ ...answer, raw: '' })),
    made('media type of HTML', 'is announced as HTML', ['IMG-ENVELOPE-09'], type('text/html')),
    made('no media type', 'has no Content-Type', ['IMG-ENVELOPE-09'], type('')),
    ...(outcome === 'success'
      ? [
          made('status 500', 'has the status of a failure', [own, 'IMG-ENVELOPE-03'], status(500)),
          made('status 202', 'has a status outside the table', ['IMG-STATUS-10'], status(202)),
        ]
      : [
          made('status 200', 'has the status of a success', ['IMG-STATUS-01', 'IMG-ENVELOPE-03'], status(200)),
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
  if (types.includes('array')) return types.includes('object') ? 'a text' : { 0: 'not', 1: 'an array' }
  return types.includes('object') ? ['an array'] : undefined
}

/** A copy of the answer in which the place at the end of the steps is changed: of an array, in its last item. */
function changed(answer: Answer, steps: readonly string[], change: Change): Answer | undefined {
  const whole: Record<string, unknown> = { body: structuredClone(answer.body) }
  let holder: Holder = whole
  let key: string | number = 'body'
  for (const step of steps) {
    const next: unknown = (holder as Record<string | number, unknown>)[key]
    if (typeof next !== 'object' || next === null) return undefined
    holder = next as Holder
    key = step === '*' ? (holder as unknown[]).length - 1 : step
    const last = step === steps.at(-1)
    if ((holder as Record<string | number, unknown>)[key] === undefined && !(last && change.adds === true && step !== '*')) return undefined
  }
  change(holder, key)
  return { ...answer, body: whole['body'] }
}
