import { describe, expect, it } from 'vitest'
import {
  encodeMessage,
  flawsOf,
  kindOfMessage,
  SseParser,
  type McpProblem,
  type SseEvent,
} from './framing.ts'

const rpc = (more: object) => ({ jsonrpc: '2.0', ...more })

describe('a JSON-RPC message', () => {
  it.each([
    [rpc({ id: 1, method: 'ping' }), 'request'],
    [rpc({ id: 'a', method: 'ping', params: {} }), 'request'],
    [rpc({ method: 'notifications/initialized' }), 'notification'],
    [rpc({ id: 1, result: {} }), 'response'],
    [rpc({ id: 1, error: { code: -32601, message: 'no' } }), 'response'],
    [rpc({ id: null, error: { code: -32700, message: 'no' } }), 'response'],
    [rpc({ error: { code: -32700, message: 'no' } }), 'response'],
  ])('is valid: %j', (message, kind) => {
    expect([kindOfMessage(message), flawsOf(message)]).toEqual([kind, []])
  })

  it.each([
    ['text', 'none', '"text" is not a JSON-RPC message'],
    [null, 'none', 'null is not a JSON-RPC message'],
    [{ jsonrpc: '2.0' }, 'none', '{"jsonrpc":"2.0"} has neither method nor result nor error'],
    [{ id: 1, result: {} }, 'response', 'jsonrpc must be "2.0", but is missing'],
    [rpc({ id: 1, method: 5 }), 'request', 'method must be a string, but is 5'],
    [rpc({ method: 'x', params: [1] }), 'notification', 'params must be an object, but is [1]'],
    [
      rpc({ id: null, method: 'x' }),
      'request',
      'the id of a request must be a string or an integer, but is null',
    ],
    [
      rpc({ id: 1.5, method: 'x' }),
      'request',
      'the id of a request must be a string or an integer, but is 1.5',
    ],
    [
      rpc({ id: 1, result: {}, error: { code: 1, message: '' } }),
      'response',
      'a response has both result and error',
    ],
    [rpc({ id: 1, result: null }), 'response', 'result must be an object, but is null'],
    [
      rpc({ id: null, result: {} }),
      'response',
      'the id of a response must be a string or an integer, but is null',
    ],
    [rpc({ id: 1, error: 'no' }), 'response', 'error must be an object, but is "no"'],
    [
      rpc({ id: 1, error: { code: '1', message: 'no' } }),
      'response',
      'the code of an error must be an integer, but is "1"',
    ],
    [
      rpc({ id: 1, error: { code: 1 } }),
      'response',
      'the message of an error must be a string, but is missing',
    ],
  ])('is invalid: %j', (message, kind, flaw) => {
    expect([kindOfMessage(message), flawsOf(message)]).toEqual([
      kind,
      [{ code: kind === 'none' ? 'no-message' : 'malformed-message', text: flaw }],
    ])
  })
})

describe('an outgoing message', () => {
  it.each([
    [rpc({ id: 3, method: 'ping' }), 'ping', [3]],
    ['{"jsonrpc":"2.0","id":"a","method":"x"}', 'x', ['a']],
    [rpc({ method: 'x' }), 'x', []],
    [rpc({ id: 1, result: {} }), 'response', []],
    [
      [rpc({ id: 1, method: 'a' }), rpc({ method: 'b' }), rpc({ id: 2, method: 'c' })],
      'batch',
      [1, 2],
    ],
    [[], 'batch', [null]],
    ['{"jsonrpc', 'malformed', [null]],
    [Buffer.from([0xff]), 'malformed', [null]],
    [{ jsonrpc: '2.0', id: 1 }, 'malformed', [null]],
  ])(
    '%j has its method as its operation, and awaits responses with its ids',
    (message, operation, awaits) => {
      expect(encodeMessage(message)).toMatchObject({ operation, awaits })
    },
  )
})

function read(...chunks: (string | Buffer)[]): {
  events: SseEvent[]
  problems: McpProblem[]
  retry: number | undefined
} {
  const [events, problems]: [SseEvent[], McpProblem[]] = [[], []]
  const parser = new SseParser(
    (event) => events.push(event),
    (problem) => problems.push(problem),
  )
  for (const chunk of chunks) parser.push(Buffer.from(chunk))
  parser.end()
  return { events, problems, retry: parser.retry }
}
const bytewise = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.of(byte))

const stream =
  '\uFEFF: hello\nretry: 1500\nid: 7\nevent: message\ndata: {"a":\ndata:  1}\n\n: ping\n\nevent: endpoint\ndata:/messages?é\n\nid\ndata\n\nfoo: bar\nevent: empty\n\n'
const events = [
  { type: 'message', data: '{"a":\n 1}', id: '7' },
  { type: 'endpoint', data: '/messages?é', id: undefined },
  { type: 'message', data: '', id: '' },
]

describe('an event stream', () => {
  it.each(['\n', '\r', '\r\n'])(
    'is read with lines that end in %j, whole and byte by byte',
    (ending) => {
      const text = stream.replaceAll('\n', ending)
      expect(read(text)).toEqual({ events, problems: [], retry: 1500 })
      expect(read(...bytewise(text))).toEqual({ events, problems: [], retry: 1500 })
    },
  )

  it.each([
    ['one line', `data: ${'x'.repeat(95)}\n\n`],
    ['several lines', `${`data: ${'x'.repeat(5)}\n`.repeat(10)}\n`],
    ['a line without an end', `data: ${'x'.repeat(1000)}`],
  ])('drops an event that is too long: %s', (_, text) => {
    const received: SseEvent[] = []
    let tooLong = 0
    const parser = new SseParser(
      (event) => received.push(event),
      () => {},
      { maxBytes: 100, tooLong: () => (tooLong += 1) },
    )
    for (const chunk of bytewise(`data: short\n\n${text}`)) parser.push(chunk)
    expect(received.map(({ data }) => data)[0]).toBe('short')
    expect(received.every(({ data }) => data.length < 100)).toBe(true)
    expect(tooLong).toBeGreaterThan(0)
  })

  it('ignores ids with NUL and retries that are not numbers', () => {
    expect(read('id: a\0b\nretry: 5s\ndata: x\n\n')).toEqual({
      events: [{ type: 'message', data: 'x', id: undefined }],
      problems: [],
      retry: undefined,
    })
  })

  it('reports an unfinished event, and drops it', () => {
    const broken = [
      { code: 'event-unfinished', text: 'the event stream ended in the middle of an event' },
    ]
    expect(read('data: x\n')).toEqual({ events: [], problems: broken, retry: undefined })
    expect(read('data: x\n\ndata')).toMatchObject({ events: [{ data: 'x' }], problems: broken })
  })

  it('reports bytes that are not UTF-8', () => {
    expect(read(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]))).toMatchObject({
      events: [{ data: '\uFFFD' }],
      problems: [
        { code: 'event-stream-not-utf8', text: 'a line of the event stream is not UTF-8' },
      ],
    })
  })
})
