import { readValue } from '../../../conformance/target-file/kinds.ts'
import { addressOf } from '../../../mocks/deliveries/address.ts'
import { isHeaderValue } from '../../../mocks/deliveries/headers.ts'
import { UsageError } from '../../print-error.ts'

/** The environment variable with the secret of a receiver, used if there is no option. */
export const secretVariable = 'RECEIVER_SECRET'

/** Reads a whole number, 1 or more. Throws `UsageError`. */
export function countOf(flag: string, text: string): number {
  return number(flag, 'count', text)
}

/** Reads a duration with its unit, such as 5s. Returns milliseconds. Throws `UsageError`. */
export function durationOf(flag: string, text: string): number {
  return number(flag, 'duration', text)
}

/** Reads a duration above 0. Returns milliseconds. Throws `UsageError`. */
export function timeoutOf(flag: string, text: string): number {
  return number(flag, 'timeout', text)
}

/** Reads a receiver's secret from the option or the environment; undefined if there is none. */
export function secretOf(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const secret = flag ?? environment[secretVariable]
  if (secret === undefined || secret === '') return undefined
  if (!isHeaderValue(secret))
    throw new UsageError(
      `${flag === undefined ? secretVariable : '--token'} must be a valid header value: without line breaks, and without spaces at its ends`,
    )
  return secret
}

/** Reads the URL of a receiver. Throws `UsageError`. */
export function receiverUrlOf(flag: string, url: string): string {
  if (addressOf(url) === undefined)
    throw new UsageError(
      `${flag} is not the URL of a receiver: ${url}. It must begin with http:// or https://`,
    )
  return url
}

/** Returns a URL without its user name and password. */
export function shownUrl(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
}

function number(flag: string, kind: 'count' | 'duration' | 'timeout', text: string): number {
  const read = readValue({ kind }, { value: text, loose: true })
  if ('wrong' in read) throw new UsageError(`${flag} ${read.wrong}`)
  return read.value as number
}
