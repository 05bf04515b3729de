import { randomBytes } from 'node:crypto'
import { gzipSync, brotliCompressSync, constants } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import type { Answer, Behavior, Turn } from './behavior.ts'
import { sendPlainly } from './behavior.ts'

/** Whether a response contains JSON. */
const isJson = ({ headers, body }: Answer) =>
  body.length > 0 &&
  headers.some(([name, value]) => /^content-type$/i.test(name) && /json/i.test(value))

/** Changes the body of each response with JSON, as text. */
const changeText =
  (change: (text: string, turn: Turn) => string | Buffer): NonNullable<Behavior['change']> =>
  (answer, turn) =>
    isJson(answer)
      ? { ...answer, body: Buffer.from(change(answer.body.toString('utf8'), turn)) }
      : answer

/** Adds a member to the outermost object of each JSON body. The value is made once. */
const addMember = (makeValue: () => string): NonNullable<Behavior['change']> => {
  let value: Buffer | undefined
  return (answer) => {
    const text = answer.body.toString('utf8').trimEnd()
    if (!isJson(answer) || !text.startsWith('{')) return answer
    value ??= Buffer.from(`"extra":${makeValue()}}`)
    const start = Buffer.from(`${text.slice(0, -1)}${text.length > 2 ? ',' : ''}`)
    return { ...answer, body: Buffer.concat([start, value]) }
  }
}

/** Returns a value with every leaf changed for which `change` returns something. */
function mapLeaves(
  value: unknown,
  change: (leaf: unknown, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((element) => mapLeaves(element, change, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, mapLeaves(member, change, key)]),
    )
  return change(value, name)
}

/** Changes every leaf of each JSON body. The ids of JSON-RPC stay, so that clients read on. */
const changeLeaves = (change: (leaf: unknown, name: string, turn: Turn) => unknown) =>
  changeText((text, turn) => {
    try {
      const value = JSON.parse(text) as Record<string, unknown>
      const changed = mapLeaves(value, (leaf, name) => change(leaf, name, turn))
      return JSON.stringify(
        value['jsonrpc'] === '2.0'
          ? { ...(changed as object), jsonrpc: '2.0', id: value['id'] }
          : changed,
      )
    } catch {
      return text
    }
  })

/** Changes every string, except the version of the protocol of a tool server. */
const changeStrings = (change: (text: string, name: string, turn: Turn) => unknown) =>
  changeLeaves((leaf, name, turn) =>
    typeof leaf === 'string' && name !== 'protocolVersion' ? change(leaf, name, turn) : leaf,
  )

const isUrl = (text: string) => /^https?:\/\//.test(text)
const changeUrls = (change: (text: string) => string) =>
  changeStrings((text) => (isUrl(text) ? change(text) : text))
const changeIds = (change: (text: string) => unknown) =>
  changeLeaves((leaf, name) =>
    /id$/i.test(name) && (typeof leaf === 'string' || typeof leaf === 'number')
      ? change(String(leaf))
      : leaf,
  )

/** Compresses each JSON body after a change, whatever the client accepts. */
const compressed =
  (
    change: NonNullable<Behavior['change']>,
    coding = 'gzip',
    compress: (bytes: Buffer) => Buffer = (bytes) => gzipSync(bytes, { level: 1 }),
  ): NonNullable<Behavior['change']> =>
  (answer, turn) => {
    if (!isJson(answer)) return answer
    const changed = change(answer, turn)
    return {
      ...changed,
      headers: [...changed.headers, ['Content-Encoding', coding]],
      body: compress(changed.body),
    }
  }

const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const megabytes = 1024 * 1024
const longText = `"${'0'.repeat(15 * megabytes)}"`
const deepArray = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const manyObjects = () => `[${'{},'.repeat(5_000_000)}0]`
const manyNumbers = () => `[${'1,'.repeat(7_000_000)}1]`

/** Writes the bytes of a response itself. */
const sendBytes =
  (bytesOf: (answer: Answer, turn: Turn) => string | Buffer, close = false) =>
  (answer: Answer, response: ServerResponse, turn: Turn): void => {
    const { socket } = response
    if (socket === null) return
    socket.write(bytesOf(answer, turn))
    if (close) socket.end()
    else response.detachSocket(socket)
  }

/** The status line and headers of a response, with other values for some headers. */
const headOf = (
  { status, headers }: Answer,
  replaced: Readonly<Record<string, string>> = {},
): string =>
  `HTTP/1.1 ${status} X\r\n${[
    ...headers.filter(([name]) => !(name.toLowerCase() in replaced)),
    ...Object.entries(replaced),
  ]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const addHeaders =
  (...added: readonly (readonly [string, string])[]): NonNullable<Behavior['change']> =>
  (answer) => ({
    ...answer,
    headers: [
      ...answer.headers.filter(
        ([name]) => !added.some(([other]) => other.toLowerCase() === name.toLowerCase()),
      ),
      ...added,
    ],
  })

const answerWith = (
  status: number,
  headers: readonly (readonly [string, string])[] = [],
  body = '{}',
): NonNullable<Behavior['change']> => {
  return () => ({
    status,
    headers: [...headers, ['Content-Length', String(Buffer.byteLength(body))]],
    body: Buffer.from(body),
  })
}

const shell =
  '$(touch /tmp/touchstone-hostile)`touch /tmp/touchstone-hostile`\'"; touch /tmp/touchstone-hostile #'
const terminal = '\x1b]0;title\x07\x1b[2J\x1b[31m\u202e\u2066\x9b31m\x07\r\n'
const html = '</script><script>alert(1)</script><img src=x onerror=alert(1)>'

/** Servers that work, and whose responses have hostile bodies. */
export const bodyBehaviors: readonly Behavior[] = [
  {
    name: 'gzip of 15 MB',
    description: 'adds a string of 15 MB to each response, and compresses it to 16 KB',
    change: compressed(addMember(() => longText)),
    isHarmless: true,
  },
  {
    name: 'gzip of 1 GB',
    description: 'compresses 1 GB of spaces in each response',
    change: compressed(
      changeText((text) => text),
      'gzip',
      () => gigabyte(),
    ),
  },
  {
    name: 'brotli of 15 MB',
    description: 'adds a string of 15 MB to each response, and compresses it with Brotli',
    change: compressed(
      addMember(() => longText),
      'br',
      brotli,
    ),
    isHarmless: true,
  },
  {
    name: 'gzip that is broken',
    description: 'declares gzip for bodies that are not compressed',
    change: compressed(
      (answer) => answer,
      'gzip',
      (bytes) => bytes,
    ),
  },
  {
    name: 'JSON of 15 MB',
    description: 'adds a string of 15 MB to each response, without a coding',
    change: addMember(() => longText),
    isHarmless: true,
  },
  {
    name: 'random JSON of 12 MB',
    description: 'adds a string of 12 MB to each response that cannot be compressed',
    change: addMember(() => JSON.stringify(randomBytes(9 * megabytes).toString('base64'))),
  },
  {
    name: 'JSON nested 100,000 deep',
    description: 'adds arrays that are nested 100,000 deep',
    change: addMember(() => deepArray(100_000)),
    isHarmless: true,
  },
  {
    name: 'JSON nested 7,000,000 deep',
    description: 'adds arrays that are nested 7,000,000 deep, compressed',
    change: compressed(addMember(() => deepArray(7_000_000))),
    isHarmless: true,
  },
  {
    name: '5,000,000 objects',
    description: 'adds an array of 5,000,000 empty objects, compressed',
    change: compressed(addMember(manyObjects)),
    isHarmless: true,
  },
  {
    name: '7,000,000 numbers',
    description: 'adds an array of 7,000,000 numbers, compressed',
    change: compressed(addMember(manyNumbers)),
    isHarmless: true,
  },
  {
    name: '300,000 names',
    description: 'adds an object with 300,000 members',
    change: compressed(
      addMember(
        () => `{${Array.from({ length: 300_000 }, (_, n) => `"name${n}":${n}`).join(',')}}`,
      ),
    ),
    isHarmless: true,
  },
  {
    name: '__proto__',
    description: 'adds members with the names __proto__, constructor and toString',
    change: addMember(
      () =>
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}',
    ),
    isHarmless: true,
  },
  {
    name: 'names of a prototype',
    description: 'replaces each name in JSON by __proto__',
    change: changeText((text) => text.replace(/"[a-z_A-Z]+":/g, '"__proto__":')),
  },
  {
    name: 'huge numbers',
    description: 'replaces each number by 1e400',
    change: changeText((text) => text.replace(/:\s*-?\d+(\.\d+)?/g, ':1e400')),
    isHarmless: true,
  },
  {
    name: 'long numbers',
    description: 'replaces each number by one of 10,000 digits',
    change: changeText((text) => text.replace(/:\s*-?\d+(\.\d+)?/g, `:${'9'.repeat(10_000)}`)),
    isHarmless: true,
  },
  {
    name: 'invalid UTF-8',
    description: 'replaces a byte of each body by one that is not UTF-8',
    change: (answer) => {
      if (!isJson(answer)) return answer
      const body = Buffer.from(answer.body)
      body[Math.floor(body.length / 2)] = 0xff
      return { ...answer, body }
    },
  },
  {
    name: 'UTF-16',
    description: 'encodes each body as UTF-16',
    change: changeText((text) => Buffer.from(text, 'utf16le')),
  },
  {
    name: 'byte order mark',
    description: 'begins each body with a byte order mark',
    change: changeText((text) => `\uFEFF${text}`),
    isHarmless: true,
  },
  {
    name: 'half of each body',
    description: 'sends the first half of each body, with its length',
    change: changeText((text) => text.slice(0, text.length / 2)),
  },
  {
    name: 'comments in JSON',
    description: 'adds a comment to each body',
    change: changeText((text) => `// comment\n${text}`),
  },
  {
    name: 'doubled body',
    description: 'sends each body twice',
    change: changeText((text) => text + text),
  },
  {
    name: 'lone surrogates',
    description: 'adds a lone surrogate to each string',
    change: changeText((text) => text.replace(/:\s*"([^"\\]*)"/g, ':"$1\\ud800"')),
  },
  {
    name: 'controls for terminals',
    description: 'adds terminal sequences, bidi and C1 controls to each string',
    change: changeStrings((text) => text + terminal),
  },
  {
    name: 'commands for a shell',
    description: 'adds commands for a shell to each string',
    change: changeStrings((text) => text + shell),
  },
  {
    name: 'scripts for a page',
    description: 'adds a script to each string',
    change: changeStrings((text) => text + html),
  },
  {
    name: 'paths of files',
    description: 'replaces each string by the path of a file outside of the folder',
    change: changeStrings(() => '../../../../../../tmp/touchstone-hostile'),
  },
  {
    name: 'strings of 1 MB',
    description: 'replaces one string of each body by one of 1 MB',
    change: changeText((text) => text.replace(/:\s*"[^"\\]*"/, `:"${'x'.repeat(megabytes)}"`)),
  },
  {
    name: 'empty strings',
    description: 'replaces each string by an empty one',
    change: changeStrings(() => ''),
  },
  {
    name: 'null',
    description: 'replaces each value by null',
    change: changeLeaves(() => null),
  },
  {
    name: 'arrays for strings',
    description: 'replaces each string by an array with the string',
    change: changeStrings((text) => [text]),
  },
  {
    name: 'objects for values',
    description: 'replaces each value by an object',
    change: changeLeaves((value) => ({ value })),
  },
  {
    name: 'random types',
    description: 'replaces a third of the values by values of random types',
    change: changeLeaves((leaf, _, { random }) =>
      random.int(0, 3) > 0
        ? leaf
        : [null, true, -1, 1e21, '', '\u0000', [], {}, [[[]]], 'x'.repeat(5000)][random.int(0, 10)],
    ),
  },
  {
    name: 'ids with slashes',
    description: 'adds characters with a meaning in URLs to each id',
    change: changeIds((id) => `../${id}/?a=b#c %zz\\@[`),
  },
  {
    name: 'ids with line breaks',
    description: 'adds a line break and a header to each id',
    change: changeIds((id) => `${id}\r\nX-Injected: 1`),
  },
  {
    name: 'ids beyond 2^53',
    description: 'replaces each id by a number that JavaScript cannot represent',
    change: changeText((text) =>
      text.replace(/"id":\s*("[^"]*"|\d+)/g, '"id":90071992547409931234'),
    ),
  },
  {
    name: 'ids of 100 KB',
    description: 'makes each id 100 KB long',
    change: changeIds((id) => id + 'x'.repeat(100_000)),
  },
  {
    name: 'the same id',
    description: 'gives everything the same id',
    change: changeIds(() => '1'),
  },
  {
    name: 'URLs with credentials',
    description: 'adds credentials that cannot be decoded to each URL',
    change: changeUrls((url) => url.replace('://', '://user:%zz@')),
  },
  {
    name: 'URLs of files',
    description: 'replaces each URL by that of a file',
    change: changeUrls(() => 'file:///etc/passwd'),
  },
  {
    name: 'URLs with spaces',
    description: 'adds spaces, controls and other scripts to each URL',
    change: changeUrls((url) => `${url} a\tb\u0000\u00e9\u4e2d\ud83d`),
  },
  {
    name: 'URLs of a closed port',
    description: 'replaces the host of each URL by a port on which nothing listens',
    change: changeUrls((url) => url.replace(/^https?:\/\/[^/]*/, 'http://127.0.0.1:9')),
  },
  {
    name: 'javascript: URLs',
    description: 'replaces each URL by a script',
    change: changeUrls(() => 'javascript:alert(document.domain)'),
  },
  {
    name: 'echo of headers',
    description: 'adds the headers of the request, credentials included, to each response',
    change: (answer, { headers }) =>
      isJson(answer)
        ? addMember(() => JSON.stringify(headers))(answer, undefined as never)
        : answer,
    isHarmless: true,
  },
]

/** Servers that work, and send hostile statuses and headers, or bodies in a hostile way. */
export const responseBehaviors: readonly Behavior[] = [
  {
    name: 'echo in headers',
    description: 'adds the credentials of the request to the headers of the response',
    change: (answer, { headers }) =>
      addHeaders(['X-Echo', encodeURIComponent(JSON.stringify(headers)).slice(0, 4000)])(
        answer,
        undefined as never,
      ),
    isHarmless: true,
  },
  {
    name: 'redirects to itself',
    description: 'redirects each request to its own URL',
    change: (answer, turn) => answerWith(302, [['Location', turn.path]])(answer, turn),
  },
  {
    name: 'redirects to a file',
    description: 'redirects each request to a file',
    change: answerWith(302, [['Location', 'file:///etc/passwd']]),
  },
  {
    name: 'redirects with credentials',
    description: 'redirects each request to another port, with credentials in the URL',
    change: answerWith(307, [['Location', 'http://user:%zz@127.0.0.1:9/']]),
  },
  {
    name: '429 for a long time',
    description: 'responds 429 with a Retry-After of 31 years',
    change: answerWith(429, [['Retry-After', '999999999']]),
  },
  {
    name: '429 in the past',
    description: 'responds 429 with a Retry-After that is negative',
    change: answerWith(429, [['Retry-After', '-5']]),
  },
  {
    name: '429 at every second request',
    description: 'responds 429 with Retry-After: 0 to every second request',
    change: (answer, turn) =>
      turn.number % 2 === 0 ? answerWith(429, [['Retry-After', '0']])(answer, turn) : answer,
    isHarmless: true,
  },
  {
    name: '503 at every third request',
    description: 'responds 503 to every third request',
    change: (answer, turn) => (turn.number % 3 === 0 ? answerWith(503)(answer, turn) : answer),
  },
  {
    name: '204 for everything',
    description: 'responds 204 to each request',
    change: () => ({ status: 204, headers: [], body: Buffer.alloc(0) }),
  },
  {
    name: '200 for refusals',
    description: 'responds 200 where the server refuses',
    change: (answer) => ({ ...answer, status: answer.status >= 400 ? 200 : answer.status }),
  },
  {
    name: 'longer than declared',
    description: 'sends more bytes than Content-Length declares',
    send: sendBytes((answer) =>
      Buffer.concat([Buffer.from(headOf(answer)), answer.body, Buffer.from('HTTP/1.1 200 OK\r\n')]),
    ),
  },
  {
    name: 'shorter than declared',
    description: 'sends fewer bytes than Content-Length declares, and closes the connection',
    send: sendBytes(
      (answer) =>
        Buffer.concat([
          Buffer.from(headOf(answer, { 'content-length': String(answer.body.length + 10) })),
          answer.body,
        ]),
      true,
    ),
  },
  {
    name: 'never complete',
    description: 'declares one byte more than it sends, and keeps the connection open',
    send: sendBytes((answer) =>
      Buffer.concat([
        Buffer.from(headOf(answer, { 'content-length': String(answer.body.length + 1) })),
        answer.body,
      ]),
    ),
  },
  {
    name: 'resets at every third request',
    description: 'resets the connection at every third request',
    send: (answer, response, { number }) => {
      if (number % 3 === 0) response.socket?.resetAndDestroy()
      else sendPlainly(answer, response)
    },
  },
  {
    name: 'silent at every fifth request',
    description: 'never responds to every fifth request',
    send: (answer, response, { number }) => {
      if (number % 5 !== 0) sendPlainly(answer, response)
    },
  },
  {
    name: 'slow by 1.5 s',
    description: 'responds to each request after 1.5 s',
    send: (answer, response) => void setTimeout(() => sendPlainly(answer, response), 1500),
    isHarmless: true,
  },
  {
    name: 'drips each body',
    description: 'sends each body in pieces of 64 bytes, one every 10 ms',
    send: (answer, response) => {
      response.writeHead(answer.status, answer.headers.flat())
      let at = 0
      const more = () => {
        response.write(answer.body.subarray(at, (at += 64)))
        if (at < answer.body.length && at < 10_000) setTimeout(more, 10)
        else response.end(answer.body.subarray(at))
      }
      more()
    },
    isHarmless: true,
  },
  {
    name: 'answers of others',
    description: 'responds to each request with the response to the one before it',
    send: (() => {
      let last: Answer | undefined
      return (answer: Answer, response: ServerResponse) => {
        sendPlainly(last ?? answer, response)
        last = answer
      }
    })(),
  },
  {
    name: '300 cookies',
    description: 'sets 300 cookies with each response',
    change: (answer) => ({
      ...answer,
      headers: [
        ...answer.headers,
        ...Array.from({ length: 300 }, (_, n) => ['Set-Cookie', `c${n}=${n}`] as const),
      ],
    }),
    isHarmless: true,
  },
  {
    name: 'odd content types',
    description: 'sends content types that cannot be parsed',
    change: addHeaders([
      'Content-Type',
      'application/json;;;charset="\\"utf-7; q=\u00e9,,text/html',
    ]),
    isHarmless: true,
  },
  {
    name: 'odd dates',
    description: 'sends a Date header that is not a date',
    change: addHeaders(['Date', 'Thu, 99 Foo 99999 99:99:99 XYZ']),
    isHarmless: true,
  },
  {
    name: 'dates in 9999',
    description: 'sends a Date header with the year 9999',
    change: addHeaders(['Date', 'Fri, 31 Dec 9999 23:59:59 GMT']),
    isHarmless: true,
  },
]

let kept: Buffer | undefined
/** 1 GB of spaces, compressed once. */
function gigabyte(): Buffer {
  return (kept ??= gzipSync(Buffer.alloc(1024 * megabytes, 0x20), { level: 1 }))
}
