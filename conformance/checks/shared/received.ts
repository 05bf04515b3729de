import { findJsonFailure } from '../../wire/json-failure.ts'

/** The message in which a value was expected. */
interface Source {
  readonly status?: number | undefined
  readonly body: Buffer
}

/**
 * Describes the value that a message had at a JSON pointer, for a report. An undefined value means
 * that the field is missing, or, at the empty pointer, that the body is empty or not JSON.
 */
export function describeReceived(
  value: unknown,
  pointer: string,
  { status, body }: Source,
): string {
  if (value !== undefined) return JSON.stringify(value).slice(0, 160)
  if (pointer !== '') return 'no such field'
  const problem =
    body.length === 0 ? 'an empty body' : `a body that is not JSON${failureIn(body.toString())}`
  return status === undefined ? problem : `status ${status} with ${problem}`
}

/** Where a body that begins like JSON stops being JSON. Empty for other bodies. */
function failureIn(text: string): string {
  const failure = /^\s*[{[]/.test(text) ? findJsonFailure(text) : undefined
  if (failure === undefined) return ''
  return failure.reason === 'unfinished'
    ? ', because it ends too early'
    : ` at character ${failure.at + 1}`
}
