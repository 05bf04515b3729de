import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Target } from '../../target.ts'

/** A target that is no implementation at all. Of none of them may a single check pass. */
export interface NullTarget {
  readonly name: string
  readonly says: string
  /** What it does with a connection; undefined for nobody listening. */
  readonly serve?: (socket: Socket, stopped: () => boolean) => void
  /** What is judged, where that is no address. */
  readonly target?: Omit<Target, 'suite'>
}

const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Answers each request, as soon as its head is in, with the same bytes. */
const always = (bytes: string) => (socket: Socket) => {
  socket.on('data', (chunk) => {
    if (chunk.includes('\r\n\r\n')) socket.write(bytes)
  })
}

export const nullTargets: readonly NullTarget[] = [
  { name: 'closed port', says: 'nobody listens' },
  {
    name: 'constant 502',
    says: 'every request is answered 502',
    serve: always(answer('502 Bad Gateway', '<html>Bad Gateway</html>')),
  },
  {
    name: 'constant 429',
    says: 'every request is answered 429 with an envelope',
    serve: always(
      answer(
        '429 Too Many Requests',
        '{"success":false,"errors":[{"code":10429,"message":"slow down"}]}',
      ),
    ),
  },
  {
    name: '200 {}',
    says: 'every request is answered 200 with an empty object',
    serve: always(answer('200 OK', '{}')),
  },
  {
    name: 'echo',
    says: 'every request comes back as the body of a 200',
    serve: (socket) => {
      socket.on('data', (chunk) => socket.write(answer('200 OK', chunk.toString('latin1'))))
    },
  },
  {
    name: 'hang',
    says: 'connections are taken and never answered',
    serve: (socket) => void socket.resume(),
  },
  {
    name: 'slow drip',
    says: 'an answer comes byte by byte and never ends',
    serve: (socket, stopped) => {
      const drip = setInterval(
        () => (stopped() || socket.destroyed ? clearInterval(drip) : socket.write(' ')),
        20,
      )
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
        ),
      )
    },
  },
  {
    name: 'reset',
    says: 'connections are reset at the first byte',
    serve: (socket) => {
      socket.on('data', () => socket.resetAndDestroy())
    },
  },
  {
    name: 'endless body',
    says: 'an answer never ends, as fast as it is read',
    serve: (socket, stopped) => {
      const piece = Buffer.alloc(64 * 1024, 0x20)
      const pour = () => {
        while (!stopped() && !socket.destroyed && socket.write(piece));
      }
      socket.on('drain', pour)
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n',
        )
        pour()
      })
    },
  },
]

/** Puts a null target on a free port of the loopback address. For a closed port, takes one and lets it go. */
export async function startNullTarget({
  serve,
}: NullTarget): Promise<{ origin: string; close(): Promise<void> }> {
  let stopped = false
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve?.(socket, () => stopped)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    stopped = true
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  if (serve !== undefined) return { origin, close }
  await close()
  return { origin, close: async () => {} }
}
