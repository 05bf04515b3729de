/** The message in which a value was expected. */
interface Source {
  readonly status?: number | undefined
  readonly body: Uint8Array
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
  const problem = body.length === 0 ? 'an empty body' : 'a body that is not JSON'
  return status === undefined ? problem : `status ${status} with ${problem}`
}
