import type { Socket } from 'node:net'
import { alwaysReturn, commonNullTargets, httpResponse } from '../null-targets/common.ts'
import type { Behavior } from './behavior.ts'

/** After the first bytes of a request, sends a piece again and again, as fast as it is read. */
const pour =
  (start: string, piece: string | Buffer): NonNullable<Behavior['serve']> =>
  (socket, stopped) => {
    const more = () => {
      while (!stopped() && !socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    socket.once('data', () => {
      socket.write(start)
      more()
    })
  }

/** After the first bytes of a request, sends a piece every `everyMs` milliseconds. */
const drip =
  (start: string, piece: string, everyMs: number): NonNullable<Behavior['serve']> =>
  (socket, stopped) => {
    socket.once('data', () => {
      socket.write(start)
      const timer = setInterval(() => {
        if (stopped() || socket.destroyed) clearInterval(timer)
        else socket.write(piece)
      }, everyMs)
    })
  }

/** Calls `respond` for each request as soon as its headers are received. */
const onHead =
  (respond: (socket: Socket) => void): NonNullable<Behavior['serve']> =>
  (socket) =>
    void socket.on('data', (chunk) => {
      if (chunk.includes('\r\n\r\n')) respond(socket)
    })

const empty = '{"success":true,"errors":[],"messages":[],"result":{}}'

/** Servers that implement nothing, and harm clients by how they use their connections. */
export const connectionBehaviors: readonly Behavior[] = [
  ...commonNullTargets
    .filter(({ serve }) => serve !== undefined)
    .map(({ name, description, serve }) => ({ name, description, serve: serve! })),
  {
    name: 'endless headers',
    description: 'sends a response whose headers never end',
    serve: pour('HTTP/1.1 200 OK\r\n', 'X-More: more\r\n'.repeat(64)),
  },
  {
    name: 'dripping headers',
    description: 'sends a header line every 100 ms, and never a body',
    serve: drip('HTTP/1.1 200 OK\r\n', 'X-More: 1\r\n', 100),
  },
  {
    name: 'endless status line',
    description: 'sends a status line that never ends',
    serve: pour('HTTP/1.1 200 ', 'O'.repeat(4096)),
  },
  {
    name: 'endless 100 Continue',
    description: 'sends interim responses without end',
    serve: pour('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(64)),
  },
  {
    name: 'dripping 103',
    description: 'sends an interim response every 50 ms, and never a final one',
    serve: drip('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n', 50),
  },
  {
    name: 'endless chunks',
    description: 'sends chunks without end',
    serve: pour(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      `${'1000\r\n'}${' '.repeat(4096)}\r\n`,
    ),
  },
  {
    name: 'endless chunk extension',
    description: 'sends a chunk whose extension never ends',
    serve: pour('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=', 'y'.repeat(4096)),
  },
  {
    name: 'empty chunk sizes',
    description: 'sends a chunk whose size is not a number',
    serve: onHead((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    ),
  },
  {
    name: 'endless trailers',
    description: 'sends a body whose trailers never end',
    serve: pour(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
      'X-Trailer: more\r\n'.repeat(64),
    ),
  },
  {
    name: 'random bytes',
    description: 'responds with bytes that are not HTTP',
    serve: onHead((socket) => socket.write(Buffer.alloc(2000, 0xa5))),
  },
  {
    name: 'banner of SSH',
    description: 'sends the banner of another protocol when a client connects',
    serve: (socket) => void socket.resume().write('SSH-2.0-OpenSSH_9.2\r\n'),
  },
  {
    name: 'HTTP/0.9',
    description: 'responds with a body that has neither a status line nor headers',
    serve: onHead((socket) => socket.end(empty)),
  },
  {
    name: 'HTTP/2 preface',
    description: 'responds with frames of HTTP/2',
    serve: onHead((socket) => socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))),
  },
  {
    name: 'early responses',
    description: 'sends ten responses when a client connects, before any request',
    serve: (socket) => void socket.resume().write(httpResponse('200 OK', empty).repeat(10)),
  },
  {
    name: 'two responses',
    description: 'sends two responses for each request',
    serve: alwaysReturn(httpResponse('200 OK', empty) + httpResponse('500 Oops', empty)),
  },
  {
    name: 'status 000',
    description: 'responds with status 000',
    serve: alwaysReturn(httpResponse('000 Nothing', empty)),
  },
  {
    name: 'status 999',
    description: 'responds with status 999',
    serve: alwaysReturn(httpResponse('999 Request denied', empty)),
  },
  {
    name: 'status 20',
    description: 'responds with a status of two digits',
    serve: alwaysReturn(httpResponse('20 OK', empty)),
  },
  {
    name: 'switching protocols',
    description: 'responds 101 to requests that do not ask for another protocol',
    serve: alwaysReturn(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
  },
  {
    name: 'both lengths',
    description: 'sends Content-Length and Transfer-Encoding, which contradict each other',
    serve: alwaysReturn(
      `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${empty.length.toString(16)}\r\n${empty}\r\n0\r\n\r\n`,
    ),
  },
  {
    name: 'two lengths',
    description: 'sends two values of Content-Length',
    serve: alwaysReturn(
      `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: ${empty.length}\r\n\r\n${empty}`,
    ),
  },
  {
    name: 'negative length',
    description: 'sends Content-Length: -1',
    serve: alwaysReturn(`HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n${empty}`),
  },
  {
    name: 'long length',
    description: 'declares a body of 10^18 bytes, and sends 54',
    serve: alwaysReturn(`HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000000\r\n\r\n${empty}`),
  },
  {
    name: 'injected header',
    description: 'sends header lines with control characters',
    serve: alwaysReturn(
      `HTTP/1.1 200 OK\r\nX-A: a\x00b\x1b[2J\r\nX B: c\r\nContent-Length: 2\r\n\r\n{}`,
    ),
  },
  {
    name: 'long header',
    description: 'sends a header of 1 MB',
    serve: alwaysReturn(
      `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(1024 * 1024)}\r\nContent-Length: 2\r\n\r\n{}`,
    ),
  },
  {
    name: 'many headers',
    description: 'sends 3,000 headers',
    serve: alwaysReturn(`HTTP/1.1 200 OK\r\n${'A: 1\r\n'.repeat(3000)}Content-Length: 2\r\n\r\n{}`),
  },
  {
    name: 'reads slowly',
    description: 'reads 100 bytes every 50 ms, and never responds',
    serve: (socket) => {
      socket.pause()
      const timer = setInterval(() => socket.read(100), 50)
      socket.on('close', () => clearInterval(timer))
    },
  },
  {
    name: 'closes at once',
    description: 'closes each connection as soon as it is open',
    serve: (socket) => void socket.end(),
  },
  {
    name: 'TLS alert',
    description: 'refuses connections without TLS',
    serve: (socket) =>
      void socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28]))),
  },
]
