import { readValue } from '../../../conformance/target-file/kinds.ts'
import { isHeaderValue } from '../../../mocks/deliveries/headers.ts'
import { UsageError } from '../../complain.ts'

/** The variable that holds the secret of a receiver, where no flag does. */
export const secretVariable = 'RECEIVER_SECRET'

/** A flag's whole number, 1 or more. */
export function countOf(flag: string, text: string): number {
  return number(flag, 'count', text)
}

/** A flag's time, in milliseconds. */
export function durationOf(flag: string, text: string): number {
  return number(flag, 'duration', text)
}

/** The secret of a receiver, from the flag or from the environment; undefined where there is none. */
export function secretOf(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const secret = flag ?? environment[secretVariable]
  if (flag === '') throw new UsageError('--token is empty. Leave it out where there is no secret')
  if (secret === undefined || secret === '') return undefined
  if (!isHeaderValue(secret))
    throw new UsageError(
      `${flag === undefined ? secretVariable : '--token'} has to be text that fits into a header: without line breaks, and without spaces at its ends`,
    )
  return secret
}

function number(flag: string, kind: 'count' | 'duration', text: string): number {
  const read = readValue({ kind }, { value: text, loose: true })
  if ('wrong' in read) throw new UsageError(`${flag} ${read.wrong}`)
  return read.value as number
}
