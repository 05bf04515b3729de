// Violations in what the responses say: whom they greet, with which words, at what time.
const where = 'Greeting messages'
const NAME = 'GreetingRequest name, string, 1: name to greet'
const ID = 'request_id: request identifier used to track requests within the stream'
const MESSAGE = 'GreetingResponse message, string, 1: the greeting'
const TIME = 'server_timestamp: server time at which the response was generated'

const who = (name, does, fn) => ({ name, where, does, breaks: NAME, who: fn })
const date = (name, does, fn) => ({ name, where, does, breaks: TIME, date: fn })
const response = (name, breaks, does, fn) => ({ name, where, does, breaks, response: fn })

const previous = new Map()
const cache = new Map()
const hours = (n) => new Date(Date.now() + n * 3600000)
const pad = (n) => String(n).padStart(2, '0')
const bytes = (text) => Buffer.from(text, 'utf8')

/** A text with the day and time of `d`, the month as given. */
function written(d, month) {
  return `${d.getUTCFullYear()}-${pad(month)}-${d.toISOString().slice(8)}`
}

export const textRules = [
  // Whom it greets.
  {
    name: 'name-not-used',
    where,
    breaks: NAME,
    does: 'greets everybody with the same words',
    words: () => 'Hello, friend!',
  },
  who(
    'greets-request-id',
    'greets the request_id in place of the name',
    (n, c) => c.r?.request_id ?? n,
  ),
  who('greets-previous-name', 'from the second request on, greets the name before', (n, c) =>
    c.s.names.length ? c.s.names.at(-1) : n,
  ),
  who(
    'greets-first-name-always',
    'greets the first name of the stream in every response',
    (n, c) => c.s.names[0] ?? n,
  ),
  who(
    'first-greets-last-of-earlier-stream',
    'the first response of a stream greets the last name before it',
    (n, c) => (c.s.names.length === 0 ? (c.state.last ?? n) : n),
  ),
  who('name-list-grows', 'greets all names of the stream so far', (n, c) =>
    [...c.s.names, n].join(', '),
  ),
  who('name-list-grows-across-streams', 'greets all names that the server has seen', (n, c) => {
    c.state.all = [...(c.state.all ?? []), n].slice(-20)
    return c.state.all.join(', ')
  }),
  who('third-name-lost', 'every third response of a stream greets an empty name', (n, c) =>
    c.s.sent % 3 === 0 ? '' : n,
  ),
  who('after-fifty-undefined', 'from the 51st response on, greets undefined', (n, c) =>
    c.s.sent > 50 ? 'undefined' : n,
  ),
  who('counter-of-one-byte', 'the 257th response greets the first name again', (n, c) =>
    c.s.sent > 256 ? (c.s.names[c.s.sent - 257] ?? n) : n,
  ),
  who(
    'same-id-first-name',
    'keeps the name by request_id for all streams: a later name does not count',
    (n, c) => {
      const id = c.r?.request_id
      if (!id) return n
      if (!previous.has(id)) previous.set(id, n)
      return previous.get(id)
    },
  ),
  who(
    'empty-name-keeps-last',
    'an empty name leaves the name of the request before in place',
    (n, c) => {
      if (n === '') return c.s.names.filter(Boolean).at(-1) ?? n
      return n
    },
  ),
  who(
    'empty-name-keeps-last-of-server',
    'an empty name is filled with the last name of any other stream',
    (n, c) => n || c.state.last || n,
  ),
  who('empty-id-empty-name', 'a request without request_id loses its name', (n, c) =>
    c.r?.request_id === '' ? '' : n,
  ),
  who('name-lower-case', 'the name is changed to lower case', (n) => n.toLowerCase()),
  who(
    'name-first-word',
    'only the first word of the name is kept',
    (n) => n.trim().split(/\s+/)[0],
  ),
  who('name-letters-only', 'everything but letters, digits and spaces is dropped', (n) =>
    n.replace(/[^\p{L}\p{N}\p{M} ]/gu, ''),
  ),
  who('name-non-ascii-dropped', 'non-ASCII characters are dropped', (n) =>
    n.replace(/[^\x00-\x7f]/g, ''),
  ),
  who('name-non-ascii-question-marks', 'non-ASCII characters become question marks', (n) =>
    n.replace(/[^\x00-\x7f]/gu, '?'),
  ),
  who('name-read-as-latin-1', 'the bytes of the name are read as Latin-1', (n) =>
    bytes(n).toString('latin1'),
  ),
  who(
    'name-astral-broken',
    'characters beyond the basic plane become two replacement characters',
    (n) => n.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd'),
  ),
  who('name-marks-dropped', 'accents and other marks are dropped', (n) =>
    n.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC'),
  ),
  who('name-reversed-when-not-latin', 'names in right-to-left scripts are turned round', (n) =>
    /[\u0590-\u08ff]/.test(n) ? [...n].reverse().join('') : n,
  ),
  who('name-html-escaped', 'the name is escaped for HTML', (n) =>
    n.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;'),
  ),
  who('name-quotes-doubled', 'single quotes are doubled', (n) => n.replace(/'/g, "''")),
  who('name-percent-decoded', 'percent escapes in the name are decoded', (n) => {
    try {
      return decodeURIComponent(n)
    } catch {
      return n
    }
  }),
  who('name-backslashes-lost', 'backslashes are dropped', (n) => n.replace(/\\/g, '')),
  {
    name: 'name-in-replacement-pattern',
    where,
    breaks: NAME,
    does: 'the name goes through a replacement pattern: $& and $$ change',
    words: (n) => 'Hello, {name}!'.replace('{name}', n || 'friend'),
  },
  {
    name: 'name-in-format',
    where,
    breaks: NAME,
    does: 'the name is a format: %s takes the request_id',
    words: (n, c) => `Hello, ${n || 'friend'}!`.replace(/%[sd]/g, c.r?.request_id ?? ''),
  },
  {
    name: 'name-in-template',
    where,
    breaks: NAME,
    does: 'braces in the name are filled: {time}, {name}',
    words: (n) => `Hello, ${n || 'friend'}!`.replace(/\{\w*\}/g, ''),
  },
  who('name-ends-at-nul', 'the name ends at U+0000', (n) => n.split('\0')[0]),
  who('name-ends-at-line-feed', 'the name ends at a line feed', (n) => n.split('\n')[0]),
  who('name-of-32', 'names are cut at 32 characters', (n) => n.slice(0, 32)),
  who('name-of-255-bytes', 'names are cut at 255 bytes', (n) =>
    bytes(n).subarray(0, 255).toString('utf8'),
  ),
  who('name-of-4096', 'names are cut at 4,096 characters', (n) => n.slice(0, 4096)),
  who('name-of-65535', 'names keep the low 16 bits of their length', (n) =>
    n.length > 65535 ? n.slice(0, n.length % 65536) : n,
  ),
  who('name-with-ellipsis', 'names above 100 characters end in dots', (n) =>
    n.length > 100 ? n.slice(0, 97) + '...' : n,
  ),
  who('numeric-name-as-number', 'names of digits are read as numbers', (n) =>
    /^[\d.]+$/.test(n) ? String(Number(n)) : n,
  ),
  who('name-null-or-true', 'the names null, true and false are taken for values', (n) =>
    /^(null|true|false)$/i.test(n) ? '' : n,
  ),

  // The response's fields.
  response('fields-swapped', MESSAGE, 'message and server_timestamp are swapped', (r) => ({
    message: r.server_timestamp,
    server_timestamp: r.message,
  })),
  response(
    'fields-swapped-from-second',
    MESSAGE,
    'the fields are swapped from the second response on',
    (r, c) => (c.s.sent > 1 ? { message: r.server_timestamp, server_timestamp: r.message } : r),
  ),
  response('message-empty', MESSAGE, 'message is empty', (r) => ({ ...r, message: '' })),
  response(
    'message-empty-when-concurrent',
    MESSAGE,
    'message is empty while two streams are open',
    (r, c) => (c.greeter.streams.size > 1 ? { ...r, message: '' } : r),
  ),
  response('message-is-request-id', ID, 'message is the request_id', (r, c) => ({
    ...r,
    message: c.r?.request_id ?? '',
  })),
  response(
    'message-of-response-before',
    MESSAGE,
    'sends the message of the response before',
    (r, c) => {
      const before = c.s.lastMessage ?? r.message
      c.s.lastMessage = r.message
      return { ...r, message: before }
    },
  ),
  response('message-object', MESSAGE, 'message is [object Object]', (r) => ({
    ...r,
    message: String({}),
  })),
  response(
    'whole-response-cached',
    TIME,
    'the same name gets the same response and time',
    (r, c) => {
      const key = c.r?.name ?? ''
      if (!cache.has(key)) cache.set(key, r)
      return cache.get(key)
    },
  ),
  response(
    'response-object-shared',
    TIME,
    'reuses the time of the stream that was opened last',
    (r, c) => {
      const newest = [...c.greeter.streams].at(-1)
      newest.time ??= r.server_timestamp
      return { ...r, server_timestamp: newest.time }
    },
  ),

  // The time.
  date('time-empty', 'server_timestamp is empty', () => ''),
  date('time-empty-from-second', 'server_timestamp is empty from the second response on', (c) =>
    c.s.sent > 1 ? '' : undefined,
  ),
  date('time-undefined', 'server_timestamp is the word undefined', () => 'undefined'),
  date('time-invalid-date', 'server_timestamp is Invalid Date', () => 'Invalid Date'),
  date(
    'time-of-start',
    'the time at which the server started',
    (c) => (c.state.start ??= new Date(Date.now() - process.uptime() * 1000)),
  ),
  date('time-of-stream', 'the time at which the stream was opened', (c) => new Date(c.s.since)),
  date(
    'time-of-first-stream',
    'the time at which the first stream was opened',
    (c) => (c.state.first ??= new Date(c.s.since)),
  ),
  date('time-of-response-before', 'the time of the response before', (c) => {
    const before = c.s.before ?? new Date()
    c.s.before = new Date()
    return before
  }),
  date('time-every-ten-seconds', 'a clock that is read every ten seconds', (c) => {
    if (!c.state.read || Date.now() - c.state.read > 10000) c.state.read = Date.now()
    return new Date(c.state.read)
  }),
  date('time-frozen-after-ten', 'the time stands still after ten responses of a stream', (c) => {
    if (c.s.sent <= 10) c.s.tenth = new Date()
    return c.s.tenth
  }),
  date('time-local-as-utc', 'local time of a zone two hours east, marked as UTC', () => hours(2)),
  date('time-local-as-utc-half-hour', 'local time of a zone at +05:30, marked as UTC', () =>
    hours(5.5),
  ),
  date('time-offset-twice', 'the offset is written, and the time is UTC', () =>
    new Date().toISOString().replace('Z', '+02:00'),
  ),
  date('time-one-day-late', "the date is tomorrow's", () => hours(24)),
  date('time-one-minute-early', 'the time is a minute behind', () => hours(-1 / 60)),
  date('time-month-from-zero', 'the month counts from zero', () =>
    written(new Date(), new Date().getUTCMonth()),
  ),
  date('time-minutes-for-month', 'the minutes stand where the month belongs', () =>
    written(new Date(), new Date().getUTCMinutes()),
  ),
  date('time-year-1970', 'seconds are taken for milliseconds', () => new Date(Date.now() / 1000)),
  date('time-zero', 'the time is 1970-01-01T00:00:00.000Z', () => new Date(0)),
  date(
    'time-year-one',
    'the time is the zero value 0001-01-01T00:00:00Z',
    () => '0001-01-01T00:00:00Z',
  ),
  date(
    'time-backwards',
    'each response of a stream is five seconds earlier than the one before',
    (c) => new Date(Date.now() - c.s.sent * 5000),
  ),
  date(
    'time-runs-fast',
    'each response of a stream is ten seconds ahead of the one before',
    (c) => new Date(Date.now() + (c.s.sent - 1) * 10000),
  ),
  date(
    'time-uptime',
    'the time since the start of the process',
    () => new Date(process.uptime() * 1000),
  ),
  date('time-wrong-for-odd-streams', 'every second stream has a time that is an hour off', (c) =>
    c.s.number % 2 === 0 ? hours(1) : undefined,
  ),
  date('time-format-unfilled', 'the pattern in place of the time', () => 'YYYY-MM-DDTHH:mm:ssZ'),
]
