import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Random } from '../../engine/index.ts'
import type { Behavior, Turn } from './behavior.ts'

/** Attacks last at most this long after a hook was created, in milliseconds. */
const attackMs = 20_000

/** Attacks this many hooks at the same time. */
const attackedHooks = 5

/** Opens a connection to the receiver of a hook. Ends it after `attackMs`. */
function open({ hostname, port }: URL): Socket {
  const socket = connect(Number(port), hostname)
  const timer = setTimeout(() => socket.destroy(), attackMs)
  socket.on('error', () => {})
  socket.on('close', () => clearTimeout(timer))
  socket.resume()
  return socket
}

/** The URL in a request that creates a hook. */
function urlIn({ body }: Turn): URL | undefined {
  const text = body.toString('utf8')
  const url =
    /"url"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? new URLSearchParams(text).get('url') ?? undefined
  return url !== undefined && URL.canParse(url) ? new URL(url) : undefined
}

/** The number of attacked hooks of each proxy. The key is the proxy's source of random values. */
const attacked = new WeakMap<Random, number>()

/** Attacks the receivers of the first hooks. The server also sends its own deliveries to them. */
const attacking = (name: string, description: string, attack: (url: URL) => void): Behavior => ({
  name,
  description,
  isHarmless: true,
  change: (answer, turn) => {
    const url = turn.method === 'POST' && answer.status < 300 ? urlIn(turn) : undefined
    const count = attacked.get(turn.random) ?? 0
    if (url !== undefined && count < attackedHooks) {
      attacked.set(turn.random, count + 1)
      attack(url)
    }
    return answer
  },
})

const head = (url: URL, headers = '', method = 'POST') =>
  `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nX-Hook-Event: Push Hook\r\n${headers}\r\n`

const request = (url: URL, body: string | Buffer, headers = '', method = 'POST') =>
  Buffer.concat([
    Buffer.from(head(url, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, method)),
    Buffer.from(body),
  ])

/** Writes a piece again and again, as fast as it is read. */
const pour = (url: URL, start: string, piece: string | Buffer) => {
  const socket = open(url)
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  socket.write(start)
  more()
}

const times = (count: number, act: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) act(index)
}

const megabyte = 1024 * 1024
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

/** Senders that work, and attack the receivers of their hooks. */
export const deliveryBehaviors: readonly Behavior[] = [
  attacking('flood of deliveries', 'sends deliveries as fast as they are read', (url) =>
    pour(url, '', request(url, '{"object_kind":"push"}')),
  ),
  attacking('endless delivery', 'sends a delivery whose body never ends', (url) =>
    pour(url, head(url, 'Transfer-Encoding: chunked\r\n'), `1000\r\n${' '.repeat(4096)}\r\n`),
  ),
  attacking('delivery with endless headers', 'sends a delivery whose headers never end', (url) =>
    pour(url, head(url).slice(0, -2), 'X-More: more\r\n'.repeat(64)),
  ),
  attacking('deliveries of 15 MB', 'sends 40 deliveries of 15 MB', (url) => {
    const body = request(url, `{"object_kind":"push","x":"${'0'.repeat(15 * megabyte)}"}`)
    times(8, () => open(url).write(body))
  }),
  attacking(
    'random deliveries of 12 MB',
    'sends 40 deliveries that cannot be compressed',
    (url) => {
      const body = request(url, `{"x":"${randomBytes(9 * megabyte).toString('base64')}"}`)
      times(8, () => open(url).write(body))
    },
  ),
  attacking(
    'compressed deliveries',
    'sends 500 deliveries that unfold from 16 KB to 15 MB',
    (url) => {
      const bytes = gzipSync(`{"object_kind":"push","x":"${'0'.repeat(15 * megabyte)}"}`)
      const body = request(url, bytes, 'Content-Encoding: gzip\r\n')
      const socket = open(url)
      times(100, () => socket.write(body))
    },
  ),
  attacking('deep deliveries', 'sends 500 deliveries of arrays nested 100,000 deep', (url) => {
    const socket = open(url)
    times(100, () => socket.write(request(url, `{"object_kind":"push","x":${deep}}`)))
  }),
  attacking('deliveries of many objects', 'sends 50 deliveries of 5,000,000 objects', (url) => {
    const bytes = gzipSync(`[${'{},'.repeat(5_000_000)}0]`, { level: 1 })
    const socket = open(url)
    times(10, () => socket.write(request(url, bytes, 'Content-Encoding: gzip\r\n')))
  }),
  attacking('idle connections', 'opens 500 connections and sends nothing', (url) =>
    times(100, () => void open(url)),
  ),
  attacking('slow deliveries', 'sends 100 deliveries, each at one byte per 100 ms', (url) =>
    times(20, () => {
      const socket = open(url)
      socket.write(head(url, 'Content-Length: 100000\r\n'))
      const timer = setInterval(() => socket.write(' '), 100)
      socket.on('close', () => clearInterval(timer))
    }),
  ),
  attacking('no HTTP', 'sends bytes that are not HTTP to the receiver', (url) =>
    times(50, () => open(url).write(Buffer.alloc(2000, 0xa5))),
  ),
  attacking('other paths', 'sends 5,000 deliveries to paths that belong to no hook', (url) => {
    const socket = open(url)
    times(1000, (index) => {
      const other = new URL(url)
      other.pathname = `${url.pathname.slice(0, -3)}${index}/../..//%00%zz`
      socket.write(request(other, '{}'))
    })
  }),
  attacking('odd methods', 'sends requests with unusual methods', (url) => {
    for (const method of [
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'HEAD',
      'OPTIONS',
      'PURGE',
      'PRI',
      'SOURCE',
    ])
      open(url).write(request(url, '{}', '', method))
  }),
  attacking('odd headers', 'sends deliveries with headers that contradict each other', (url) => {
    for (const headers of [
      'Expect: 100-continue\r\n',
      'Expect: the moon\r\n',
      'Connection: Upgrade\r\nUpgrade: h2c\r\n',
      'Content-Length: 7\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: gzip, chunked\r\n',
      'Content-Encoding: gzip, br, identity, x\r\n',
      'Host: other\r\n',
      `${'A: b\r\n'.repeat(1900)}`,
      'X-Hook-Token: a\r\nX-Hook-Token: b\r\n',
      'X-Hook-Event: \x1b[2J\r\n',
    ])
      open(url).write(request(url, '{}', headers))
  }),
  attacking(
    'controls in deliveries',
    'sends deliveries with terminal sequences and scripts',
    (url) => {
      const text = '\\u001b[2J\\u202e\\u009b</script><script>alert(1)</script>$(touch x)\\ud800'
      const socket = open(url)
      times(50, () =>
        socket.write(
          request(url, `{"object_kind":"${text}","${text}":"${text}","__proto__":{"x":1}}`),
        ),
      )
    },
  ),
  attacking('replays', 'sends a minimal delivery 2,500 times', (url) => {
    const socket = open(url)
    times(500, () => socket.write(request(url, '{"object_kind":"push"}')))
  }),
]
