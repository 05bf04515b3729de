import type { StartOptions } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'
import type { MockOptions } from './options.ts'
import type { RequestLog } from './request-log.ts'

/** The mocks that web pages of every origin can use, unless --no-cors is set. */
const apiMocks = ['images', 'hooks']

type MockServing = NonNullable<StartOptions['serving']>

/** Returns how a mock is served with these options. Throws `UsageError` for an invalid option. */
export function servingOf(
  name: string,
  options: MockOptions,
  { log, tls }: { log?: RequestLog | undefined; tls?: MockServing['tls'] | undefined } = {},
): MockServing {
  const { cors = true, allowOrigin = [] } = options
  const origins = allowOrigin.map(requireOrigin)
  return {
    ...(log === undefined ? {} : { onRequest: log.add }),
    ...(options.host === undefined ? {} : { hostname: options.host }),
    ...(tls === undefined ? {} : { tls }),
    ...disturbanceOf(options),
    ...(apiMocks.includes(name) && cors ? { origins: '*' } : {}),
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

/** Reads the options about delays and failures. Throws `UsageError`. */
function disturbanceOf({
  latency,
  failureRate,
  randomSeed = '1',
}: MockOptions): Pick<MockServing, 'disturbance'> {
  if (latency === undefined && failureRate === undefined) return {}
  return {
    disturbance: {
      seed: randomSeed,
      ...(latency === undefined ? {} : { latency: rangeOf(latency) }),
      ...(failureRate === undefined ? {} : { failureRate: rateOf(failureRate) }),
    },
  }
}

function rangeOf(text: string): { min: number; max: number } {
  const [, min = '', max = min] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? []
  if (min === '' || Number(min) > Number(max))
    throw new UsageError(
      `--latency must be a number of milliseconds, or a range such as 20-200, not ${text}`,
    )
  return { min: Number(min), max: Number(max) }
}

function rateOf(text: string): number {
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(rate <= 1)) throw new UsageError(`--failure-rate must be from 0 to 1, not ${text}`)
  return rate
}
