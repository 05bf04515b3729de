import type { StartOptions } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'
import type { MockOptions } from './options.ts'
import type { RequestLog } from './request-log.ts'

/** The mocks that web pages of every origin may use, unless --no-cors is set. */
const publicMocks = ['images', 'hooks']

/** Throws `UsageError` if an option about web pages belongs to none of the named mocks. */
export function requirePageOptions(
  names: readonly string[],
  { cors = true, allowOrigin }: MockOptions,
): void {
  if (!cors && !publicMocks.some((name) => names.includes(name)))
    throw new UsageError('--no-cors can only be used with the mocks images and hooks')
  if (allowOrigin !== undefined && !names.includes('tools'))
    throw new UsageError('--allow-origin can only be used with the mock tools')
}

/** How a mock is served, according to the options. Throws `UsageError` for an invalid option. */
export function servingOf(
  name: string,
  { cors = true, allowOrigin = [] }: MockOptions,
  log?: RequestLog,
): NonNullable<StartOptions['serving']> {
  const origins = allowOrigin.map(requireOrigin)
  return {
    ...(log === undefined ? {} : { onRequest: log.add }),
    ...(publicMocks.includes(name) && cors ? { origins: '*' } : {}),
    ...(name === 'tools' && origins.length > 0 ? { origins } : {}),
  }
}

/** Requires the form in which browsers send an origin: a scheme, a host, and perhaps a port. */
function requireOrigin(text: string): string {
  const origin = /^https?:/.test(text) && URL.canParse(text) ? new URL(text).origin : undefined
  if (origin === text) return text
  const next =
    origin === undefined
      ? 'such as http://localhost:5173; there is no wildcard'
      : `such as ${origin}`
  throw new UsageError(`--allow-origin must be an origin, ${next}; it is ${text}`)
}
