import { describe, expect, it } from 'vitest'
import type { McpProblem } from './jsonrpc.ts'
import { SseParser, type SseEvent } from './sse.ts'

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
const told = [
  { type: 'message', data: '{"a":\n 1}', id: '7' },
  { type: 'endpoint', data: '/messages?é', id: undefined },
  { type: 'message', data: '', id: '' },
]

describe('an event stream', () => {
  it.each(['\n', '\r', '\r\n'])(
    'is read with lines that end in %j, whole and byte by byte',
    (ending) => {
      const text = stream.replaceAll('\n', ending)
      expect(read(text)).toEqual({ events: told, problems: [], retry: 1500 })
      expect(read(...bytewise(text))).toEqual({ events: told, problems: [], retry: 1500 })
    },
  )

  it('passes over ids with NUL and retries that are no numbers', () => {
    expect(read('id: a\0b\nretry: 5s\ndata: x\n\n')).toEqual({
      events: [{ type: 'message', data: 'x', id: undefined }],
      problems: [],
      retry: undefined,
    })
  })

  it('tells of an end in the middle of an event, and drops that event', () => {
    const broken = [
      { code: 'event-unfinished', text: 'the event stream ended in the middle of an event' },
    ]
    expect(read('data: x\n')).toEqual({ events: [], problems: broken, retry: undefined })
    expect(read('data: x\n\ndata')).toMatchObject({ events: [{ data: 'x' }], problems: broken })
  })

  it('tells of bytes that are no UTF-8', () => {
    expect(read(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]))).toMatchObject({
      events: [{ data: '\uFFFD' }],
      problems: [{ code: 'event-stream-not-utf8', text: 'a line of the event stream is no UTF-8' }],
    })
  })
})
