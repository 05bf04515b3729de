// The freedoms that the document leaves to a greeting server: words, time formats, pace, statuses, wire.
const MSG = 'Greeting messages',
  RPC = 'Greeting RPC',
  ERR = 'Errors'

export const choices = [
  ['greeting-short', MSG, 'greets with "Hi NAME"'],
  ['greeting-non-ascii', MSG, 'greets with non-ASCII words'],
  ['greeting-name-first', MSG, 'the name stands at the start'],
  ['greeting-name-only', MSG, 'the greeting is the name and an exclamation mark'],
  ['greeting-with-request-id', MSG, 'the greeting repeats the request id'],
  ['greeting-with-count', MSG, 'the greeting counts the requests of the stream'],
  ['greeting-multi-line', MSG, 'the greeting has three lines'],
  ['greeting-by-turn', MSG, 'the words differ from one response to the next'],
  ['greeting-long', MSG, 'the greeting has 3,000 characters'],
  ['greeting-name-trimmed', MSG, 'white space around the name is dropped'],
  ['empty-name-literal', MSG, 'an empty name is greeted as it is: "Hello, !"'],
  ['empty-name-ignored', RPC, 'a request with an empty name gets no response'],
  ['empty-name-invalid', ERR, 'a request with an empty name ends the stream with INVALID_ARGUMENT'],
  [
    'empty-id-invalid',
    ERR,
    'a request with an empty request_id ends the stream with INVALID_ARGUMENT',
  ],
  ['same-id-ignored', RPC, 'a request_id that the stream has used already gets no response'],
  [
    'same-id-already-exists',
    ERR,
    'a request_id that the stream has used ends it with ALREADY_EXISTS',
  ],
  ['names-up-to-64k', ERR, 'names above 65536 characters end the stream with INVALID_ARGUMENT'],
  ['two-responses-each', RPC, 'each request gets two responses'],
  ['welcome-first', RPC, 'sends a greeting when the stream opens, before any request'],
  ['goodbye-last', RPC, 'sends one more message after the half-close'],
  [
    'answers-every-second-request',
    RPC,
    'greets two requests with one response that has both names',
  ],
  ['flushes-every-100-ms', RPC, 'responses are generated and sent every 100 ms'],
  ['combines-within-50-ms', RPC, 'requests within 50 ms get one response with all names'],
  ['answers-after-300-ms', RPC, 'each response comes 300 ms after its request'],
  [
    'answers-out-of-order',
    RPC,
    'requests are worked on in parallel; responses come as they are done',
  ],
  ['idle-greeting', RPC, 'while a stream is open, a further greeting comes every 250 ms'],
  ['stream-up-to-2000', ERR, 'a stream ends with RESOURCE_EXHAUSTED after 2,000 requests'],
  ['time-iso-seconds', MSG, 'ISO 8601 without fractions'],
  ['time-iso-nanos', MSG, 'ISO 8601 with nine digits of fraction'],
  ['time-iso-offset', MSG, 'ISO 8601 at +02:00'],
  ['time-iso-offset-west', MSG, 'ISO 8601 at -05:00, with a space for the T'],
  ['time-unix-seconds', MSG, 'seconds since 1970'],
  ['time-unix-millis', MSG, 'milliseconds since 1970'],
  ['time-unix-micros', MSG, 'microseconds since 1970'],
  ['time-unix-nanos', MSG, 'nanoseconds since 1970'],
  ['time-unix-float', MSG, 'seconds since 1970 with a fraction'],
  ['time-rfc-1123', MSG, 'as in the HTTP Date header'],
  ['time-javascript', MSG, 'as JavaScript prints a Date'],
  ['time-sql-utc', MSG, 'YYYY-MM-DD HH:MM:SS UTC'],
  ['time-go', MSG, 'as Go prints a time: date, time with fraction, +0000 UTC'],
  ['initial-metadata', RPC, 'sends custom initial metadata, text and binary'],
  ['trailing-metadata', RPC, 'sends custom trailing metadata, text and binary'],
  ['headers-at-once', RPC, 'sends the response headers when the stream opens'],
  ['ok-with-details', RPC, 'status OK carries a grpc-message'],
  ['accepts-up-to-64-mb', ERR, 'takes messages of up to 64 MB'],
  [
    'connection-age',
    RPC,
    'connections are asked to go away after two seconds; open streams may finish',
  ],
  ['service-named-otherwise', RPC, 'the service is examples.v1Like.Streaming_Greeter'],
  ['plain-http2', RPC, 'is built on plain HTTP/2, not on grpc-js', 'wire'],
  ['gzip-responses', RPC, 'compresses responses with gzip when the client accepts it', 'wire'],
  ['identity-named', RPC, 'sends grpc-encoding: identity', 'wire'],
  ['content-type-with-proto', RPC, 'the content-type is application/grpc+proto', 'wire'],
  ['frames-of-one-byte', RPC, 'sends the first ten bytes of a message one by one', 'wire'],
  ['prefix-apart', RPC, 'sends the five-byte prefix and the message in two DATA frames', 'wire'],
  ['unknown-response-field', MSG, 'responses have further fields with high numbers', 'wire'],
  ['fields-in-reverse', MSG, 'server_timestamp comes first on the wire', 'wire'],
  ['field-sent-twice', MSG, 'message is on the wire twice; the last one counts', 'wire'],
  ['padded-frames', RPC, 'pads its HTTP/2 frames', 'wire'],
  ['small-window', RPC, 'its HTTP/2 receive window is 1,000 bytes', 'wire'],
  ['three-streams-at-once', RPC, 'SETTINGS_MAX_CONCURRENT_STREAMS is 3', 'wire'],
  ['server-pings', RPC, 'sends HTTP/2 PING frames every 50 ms', 'wire'],
  ['no-server-compression', RPC, 'refuses compressed requests with UNIMPLEMENTED', 'wire'],
].map(([name, where, does, stack]) => ({ name, kind: 'choice', where, does, stack }))

export const serviceName = (on) =>
  on.has('service-named-otherwise')
    ? 'examples.v1Like.Streaming_Greeter'
    : 'examples.GreetingService'

const TURNS = ['Hello', 'Hey there', 'Good to see you', 'Welcome back']

export function phrase(name, s, r, on) {
  if (on.has('greeting-name-trimmed')) name = name.trim()
  if (name === '' && !on.has('empty-name-literal')) name = 'friend'
  if (on.has('greeting-short')) return `Hi ${name}`
  if (on.has('greeting-non-ascii')) return `Grüß dich, ${name}! 👋 ようこそ`
  if (on.has('greeting-name-first')) return `${name}, welcome to the service.`
  if (on.has('greeting-name-only')) return `${name}!`
  if (on.has('greeting-with-request-id')) return `[${r?.request_id ?? ''}] Hello, ${name}!`
  if (on.has('greeting-with-count'))
    return `Hello, ${name}! This is greeting ${s.count} of your stream.`
  if (on.has('greeting-multi-line')) return `Hello,\n  ${name}\r\n-- the server\n`
  if (on.has('greeting-by-turn')) return `${TURNS[s.sent % 4]}, ${name}!`
  if (on.has('greeting-long')) return `Hello, ${name}! ` + 'We are glad. '.repeat(230)
  return `Hello, ${name}!`
}

const shifted = (date, hours) =>
  new Date(date.getTime() + hours * 3600000).toISOString().slice(0, -1)

export function timeText(date, on) {
  const iso = date.toISOString(),
    ms = date.getTime()
  const extra = String(Number(process.hrtime.bigint() % 1000000n)).padStart(6, '0')
  if (on.has('time-iso-seconds')) return iso.slice(0, 19) + 'Z'
  if (on.has('time-iso-nanos')) return iso.slice(0, -1) + extra + 'Z'
  if (on.has('time-iso-offset')) return shifted(date, 2) + '+02:00'
  if (on.has('time-iso-offset-west')) return shifted(date, -5).replace('T', ' ') + '-05:00'
  if (on.has('time-unix-seconds')) return String(Math.floor(ms / 1000))
  if (on.has('time-unix-millis')) return String(ms)
  if (on.has('time-unix-micros')) return ms + extra.slice(0, 3)
  if (on.has('time-unix-nanos')) return ms + extra
  if (on.has('time-unix-float')) return (ms / 1000).toFixed(3) + extra.slice(0, 3)
  if (on.has('time-rfc-1123')) return date.toUTCString()
  if (on.has('time-javascript')) return String(date)
  if (on.has('time-sql-utc')) return iso.slice(0, 19).replace('T', ' ') + ' UTC'
  if (on.has('time-go')) return iso.slice(0, -1).replace('T', ' ') + extra + ' +0000 UTC'
  return iso
}

/** A status with which a choice refuses the request, or 'ignore'; undefined when it is served. */
export function verdict(s, r, on) {
  if (r.name === '') {
    if (on.has('empty-name-invalid')) return [3, 'name must not be empty']
    if (on.has('empty-name-ignored')) return 'ignore'
  }
  if (r.request_id === '' && on.has('empty-id-invalid')) return [3, 'request_id must not be empty']
  if (r.name.length > 65536 && on.has('names-up-to-64k')) return [3, 'name is too long']
  if (s.ids.has(r.request_id)) {
    if (on.has('same-id-ignored')) return 'ignore'
    if (on.has('same-id-already-exists')) return [6, 'request_id was used before']
  }
  if (s.count > 2000 && on.has('stream-up-to-2000')) return [8, 'too many requests in one stream']
  s.ids.add(r.request_id)
  return undefined
}
