import type { Random } from '../../engine/index.ts'
import { sendPlainly, type Answer, type Behavior } from './behavior.ts'
import { sendBytes, headOf, addHeaders, answerWith } from './changes.ts'

/** The latest response of each proxy. The key is the proxy's source of random values. */
const latest = new WeakMap<Random, Answer>()

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
    description: 'responds to each request with the response to the previous request',
    send: (answer, response, { random }) => {
      sendPlainly(latest.get(random) ?? answer, response)
      latest.set(random, answer)
    },
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
