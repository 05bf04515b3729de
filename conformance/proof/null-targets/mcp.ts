import type { Socket } from 'node:net'
import type { NullTarget } from './common.ts'

/** Hands each HTTP request to `answer` as soon as its body is in, by Content-Length. */
export const requests =
  (
    answer: (socket: Socket, body: string, head: string) => void,
  ): NonNullable<NullTarget['serve']> =>
  (socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
        if (text.length < end + 4 + length) return
        const body = text.slice(end + 4, end + 4 + length)
        text = text.slice(end + 4 + length)
        answer(socket, body, head)
      }
    })
  }

export const json = (socket: Socket, status: string, body: string) =>
  void socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/** The id of a request, as it was sent; null where there is none. */
function idIn(body: string): string {
  return /"id":("[^"]*"|-?\d+)/.exec(body)?.[1] ?? 'null'
}

const constant = (members: string) =>
  requests((socket, body) =>
    json(socket, '200 OK', `{"jsonrpc":"2.0","id":${idIn(body)},${members}}`),
  )

const program = (says: string, name: string, code: string): NullTarget => ({
  name,
  says,
  target: { tools: { stdio: { command: process.execPath, args: ['-e', code] } } },
})

/** What stands where a tool server should, and is none. */
export const mcpNulls: readonly NullTarget[] = [
  {
    name: 'constant 202',
    says: 'every request is answered 202 without a body',
    serve: requests(
      (socket) => void socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'),
    ),
  },
  {
    name: 'constant 401',
    says: 'every request is answered 401',
    serve: requests((socket) => json(socket, '401 Unauthorized', '{"error":"unauthorized"}')),
  },
  {
    name: 'constant 404',
    says: 'every request is answered 404 with an error of JSON-RPC',
    serve: requests((socket) =>
      json(
        socket,
        '404 Not Found',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no such session"}}',
      ),
    ),
  },
  {
    name: 'echo of bodies',
    says: 'every message comes back as it was sent',
    serve: requests((socket, body) => json(socket, '200 OK', body)),
  },
  {
    name: 'an error for everything',
    says: 'every request gets an error under its id',
    serve: constant('"error":{"code":-32603,"message":"internal error"}'),
  },
  {
    name: 'method not found for everything',
    says: 'every request gets the error -32601 under its id',
    serve: constant('"error":{"code":-32601,"message":"method not found"}'),
  },
  {
    name: 'an empty result for everything',
    says: 'every request gets an empty result under its id',
    serve: constant('"result":{}'),
  },
  {
    name: 'streams without events',
    says: 'every request opens a stream of events in which none comes',
    serve: requests(
      (socket) =>
        void socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
        ),
    ),
  },
  program('a program that ends at once', 'exits at once', 'process.exit(0)'),
  program(
    'a program that writes what is no message',
    'prints noise',
    'setInterval(() => console.log("starting, please wait"), 20); process.stdin.on("end", () => process.exit()).resume()',
  ),
  program(
    'a program that reads and never answers',
    'never answers',
    'process.stdin.on("end", () => process.exit()).resume()',
  ),
  program(
    'a program that begins a message and never ends it',
    'prints half a line',
    'process.stdout.write(\'{"jsonrpc":"2.0","id":1,"res\'); process.stdin.on("end", () => process.exit()).resume()',
  ),
  program(
    'a program that sends back every line',
    'echoes lines',
    'process.stdin.pipe(process.stdout)',
  ),
  {
    name: 'no such program',
    says: 'there is no such program',
    target: { tools: { stdio: { command: './there-is-no-such-program' } } },
  },
]
