import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'

const wordings: {
  readonly [W in GreetingChoices['wording']]: (
    names: string,
    last: GreetingRequest | undefined,
  ) => string
} = {
  hello: (names) => `Hello, ${names}!`,
  bare: (names) => names,
  long: (names) =>
    `A very good day to you, ${names}, and welcome to this stream. We hope that you will enjoy it. Your server.`,
  shouted: (names) => `HELLO, ${names.toUpperCase()}!`,
  numbered: (names, last) => `Hello, ${names}! (request ${last?.request_id ?? 'none'})`,
  anonymous: () => 'Hello there!',
}

/** The greeting for these requests. If there are none, the greeting contains no name. */
export function formatGreeting(
  requests: readonly GreetingRequest[],
  { wording }: GreetingChoices,
): string {
  if (requests.length === 0) return wordings.anonymous('', undefined)
  const names = requests.length === 1 ? nameOf(requests[0]!) : requests.map(nameOf).join(', ')
  return wordings[wording](names, requests.at(-1))
}

const nameOf = ({ name }: GreetingRequest) => (name === '' ? 'stranger' : name)

const timestampFormats: { readonly [T in GreetingChoices['timestamp']]: (now: Date) => string } = {
  iso: (now) => now.toISOString(),
  // UTC+1.
  offset: (now) => `${new Date(now.getTime() + 3_600_000).toISOString().slice(0, -5)}+01:00`,
  nanos: (now) => now.toISOString().replace('Z', '000000Z'),
  plain: (now) => now.toISOString().slice(0, -5).replace('T', ' '),
  http: (now) => now.toUTCString(),
  seconds: (now) => String(Math.floor(now.getTime() / 1000)),
  millis: (now) => String(now.getTime()),
}

// The last timestamp is cached, because many greetings are sent in the same millisecond.
let last: { now: number; timestamp: GreetingChoices['timestamp']; formatted: string } | undefined

/** Formats a time, in milliseconds since the epoch, in the chosen format. */
export function formatTimestamp(now: number, { timestamp }: GreetingChoices): string {
  if (last?.now !== now || last.timestamp !== timestamp)
    last = { now, timestamp, formatted: timestampFormats[timestamp](new Date(now)) }
  return last.formatted
}
