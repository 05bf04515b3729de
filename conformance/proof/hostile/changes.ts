import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import type { Answer, Behavior, Turn } from './behavior.ts'

// Ways to change or send the responses of a server.

/** Whether a response contains JSON. */
export const isJson = ({ headers, body }: Answer) =>
  body.length > 0 &&
  headers.some(([name, value]) => /^content-type$/i.test(name) && /json/i.test(value))

/** Changes the text of each JSON body. */
export const changeText =
  (change: (text: string, turn: Turn) => string | Buffer): NonNullable<Behavior['change']> =>
  (answer, turn) =>
    isJson(answer)
      ? { ...answer, body: Buffer.from(change(answer.body.toString('utf8'), turn)) }
      : answer

/** Adds a member to the outermost object of each JSON body. The value is made once. */
export const addMember = (makeValue: () => string): NonNullable<Behavior['change']> => {
  let value: Buffer | undefined
  return (answer) => {
    const text = answer.body.toString('utf8').trimEnd()
    if (!isJson(answer) || !text.startsWith('{')) return answer
    value ??= Buffer.from(`"extra":${makeValue()}}`)
    const start = Buffer.from(`${text.slice(0, -1)}${text.length > 2 ? ',' : ''}`)
    return { ...answer, body: Buffer.concat([start, value]) }
  }
}

/** Copies a value. Replaces each leaf (not an object or array) with the result of `change`. */
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

/** Changes every leaf of each JSON body. Keeps the ids of JSON-RPC, so that clients read on. */
export const changeLeaves = (change: (leaf: unknown, name: string, turn: Turn) => unknown) =>
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
export const changeStrings = (change: (text: string, name: string, turn: Turn) => unknown) =>
  changeLeaves((leaf, name, turn) =>
    typeof leaf === 'string' && name !== 'protocolVersion' ? change(leaf, name, turn) : leaf,
  )

const isUrl = (text: string) => /^https?:\/\//.test(text)
export const changeUrls = (change: (text: string) => string) =>
  changeStrings((text) => (isUrl(text) ? change(text) : text))
export const changeIds = (change: (text: string) => unknown) =>
  changeLeaves((leaf, name) =>
    /id$/i.test(name) && (typeof leaf === 'string' || typeof leaf === 'number')
      ? change(String(leaf))
      : leaf,
  )

/** Changes and then compresses each JSON body, whichever codings the client accepts. */
export const compressed =
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

export const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

export const megabytes = 1024 * 1024

/** Writes the bytes of a whole response, including its status line, to the socket. */
export const sendBytes =
  (bytesOf: (answer: Answer, turn: Turn) => string | Buffer, close = false) =>
  (answer: Answer, response: ServerResponse, turn: Turn): void => {
    const { socket } = response
    if (socket === null) return
    socket.write(bytesOf(answer, turn))
    if (close) socket.end()
    else response.detachSocket(socket)
  }

/** The status line and headers of a response, with other values for some headers. */
export const headOf = (
  { status, headers }: Answer,
  replaced: Readonly<Record<string, string>> = {},
): string =>
  `HTTP/1.1 ${status} X\r\n${[
    ...headers.filter(([name]) => !(name.toLowerCase() in replaced)),
    ...Object.entries(replaced),
  ]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

export const addHeaders =
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

export const answerWith = (
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
