import type { SeededRandom } from './random.ts'

/** A valid request to a mock, from which malformed ones are made. */
export interface ValidRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** Strings that have a special meaning in parsers, in paths or in JavaScript objects. */
const strangeTexts = [
  '',
  ' ',
  '\0',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '\ud800',
  '\u202e',
  '🌊'.repeat(100),
  'x'.repeat(5000),
  '"',
  '\\',
  '\r\n\r\n',
  '$(id)',
  '{{7*7}}',
  '-1',
  '1e999',
  '9'.repeat(400),
  'null',
  '[object Object]',
] as const

const strangeValues: readonly unknown[] = [
  ...strangeTexts,
  null,
  true,
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[[[]]]],
  { __proto__: null },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
  Array.from({ length: 2000 }, () => 0),
]

/** Replaces, removes or adds a member somewhere in a JSON value. */
function changeValue(value: unknown, random: SeededRandom): unknown {
  if (typeof value !== 'object' || value === null || random.below(4) === 0)
    return random.pick(strangeValues)
  const members = Object.entries(value)
  const [name, member] = members.length === 0 ? ['x', 0] : random.pick(members)
  const changed = random.below(5)
  const entries: [string, unknown][] =
    changed === 0
      ? members.filter(([other]) => other !== name)
      : changed === 1
        ? [...members, [random.pick(strangeTexts), random.pick(strangeValues)]]
        : members.map(([other, old]) => [other, other === name ? changeValue(member, random) : old])
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** Changes some bytes: cuts, repeats, inserts or flips them. */
function changeBytes(bytes: Buffer, random: SeededRandom): Buffer {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + random.below(20))
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  return random.pick([
    () => head,
    () => tail,
    () => Buffer.concat([head, tail]),
    () => Buffer.concat([head, middle, middle, tail]),
    () => Buffer.concat([head, random.bytes(1 + random.below(20)), tail]),
    () => Buffer.concat([head, Buffer.from(random.pick(strangeTexts)), tail]),
    () => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte))),
  ])()
}

function changeBody(body: string, random: SeededRandom): Buffer {
  const kind = random.below(6)
  if (kind === 0) return random.bytes(random.below(300))
  if (kind === 1)
    return Buffer.from(
      '['.repeat(1 + random.below(60_000)).replace(/\[/g, random.pick(['[', '{"a":'])),
    )
  if (kind <= 3)
    try {
      return Buffer.from(JSON.stringify(changeValue(JSON.parse(body), random)))
    } catch {
      // The body is a form, which is not JSON.
    }
  return changeBytes(Buffer.from(body), random)
}

function changePath(path: string, random: SeededRandom): string {
  const segments = path.split('/')
  segments[random.below(segments.length)] = random.pick(strangeTexts)
  return random.pick([
    segments.join('/'),
    `${path}?${random.pick(strangeTexts)}=${random.pick(strangeTexts)}`,
    `${path}/${random.pick(strangeTexts)}`,
    `//${path}`,
    `http://other.example${path}`,
    '*',
    path.replace('/', '/../'),
    path.slice(0, random.below(path.length)),
  ])
}

const strangeHeaders = [
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 99999999999999999999',
  'Content-Length: 0x10',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Content-Encoding: gzip',
  'Content-Type: multipart/form-data',
  'Content-Type: multipart/form-data; boundary=',
  `Content-Type: multipart/form-data; boundary=${'b'.repeat(5000)}`,
  'Content-Type: application/json; charset=utf-7',
  'Content-Type: text/plain',
  'Content-Type: ;;;',
  'Expect: 100-continue',
  'Expect: something',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Host: ',
  'Host: other.example',
  'Origin: null',
  'Origin: http://other.example',
  'Range: bytes=9-1',
  'Accept: ',
  'If-None-Match: *',
  'Authorization: ',
  'Authorization: Bearer',
  'Authorization: Basic %%%',
  'Authorization: Bearer a.b.c',
  'Cookie: =;;=',
  'Mcp-Session-Id: __proto__',
  'MCP-Protocol-Version: 0',
  'Last-Event-ID: -1',
  'no colon',
  ' : x',
  'X\0Y: z',
  'X-Folded: a\r\n b',
  `X-Long: ${'x'.repeat(70_000)}`,
  Array.from({ length: 300 }, (_, index) => `X-${index}: y`).join('\r\n'),
] as const

/** Makes one malformed request, as the bytes that are sent. */
export function malform(valid: ValidRequest, random: SeededRandom): Buffer {
  const { headers, body = '' } = valid
  // The parts to change: 0 is the body, 1 the path, 2 a header, and 3 the method.
  const sites = new Set(Array.from({ length: 1 + random.below(3) }, () => random.below(4)))
  const method = sites.has(3)
    ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'x', ''])
    : valid.method
  const path = sites.has(1) ? changePath(valid.path, random) : valid.path
  const bytes = sites.has(0) ? changeBody(body, random) : Buffer.from(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (sites.has(2)) lines.splice(random.below(lines.length + 1), 1, random.pick(strangeHeaders))
  if (!lines.some((line) => /^(content-length|transfer-encoding)/im.test(line)))
    lines.push(`Content-Length: ${random.below(20) === 0 ? random.below(1000) : bytes.length}`)
  const version = random.below(40) === 0 ? random.pick(['HTTP/9.9', 'HTTP/1.0', '']) : 'HTTP/1.1'
  const head = `${method} ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`
  const whole = Buffer.concat([Buffer.from(head), bytes])
  return random.below(20) === 0 ? changeBytes(whole, random) : whole
}
