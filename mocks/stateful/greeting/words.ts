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

/** A greeting for the names of these requests; without any, for whoever it may be. */
export function worded(requests: readonly GreetingRequest[], { wording }: GreetingChoices): string {
  if (requests.length === 0) return wordings.anonymous('', undefined)
  const names = requests.length === 1 ? named(requests[0]!) : requests.map(named).join(', ')
  return wordings[wording](names, requests.at(-1))
}

const named = ({ name }: GreetingRequest) => (name === '' ? 'stranger' : name)

const times: { readonly [T in GreetingChoices['timestamp']]: (now: Date) => string } = {
  iso: (now) => now.toISOString(),
  // One hour east of Greenwich.
  offset: (now) => `${new Date(now.getTime() + 3_600_000).toISOString().slice(0, -5)}+01:00`,
  nanos: (now) => now.toISOString().replace('Z', '000000Z'),
  plain: (now) => now.toISOString().slice(0, -5).replace('T', ' '),
  http: (now) => now.toUTCString(),
  seconds: (now) => String(Math.floor(now.getTime() / 1000)),
  millis: (now) => String(now.getTime()),
}

// Many greetings fall into one millisecond.
let last: { now: number; timestamp: GreetingChoices['timestamp']; text: string } | undefined

/** A moment, in milliseconds since 1970, in the chosen form. */
export function timeIn(now: number, { timestamp }: GreetingChoices): string {
  if (last?.now !== now || last.timestamp !== timestamp)
    last = { now, timestamp, text: times[timestamp](new Date(now)) }
  return last.text
}
