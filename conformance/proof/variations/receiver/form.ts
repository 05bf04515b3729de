import { gzipSync } from 'node:zlib'
import type { ReceiverMiddleware } from '../../../../mocks/stateful/receiver.ts'
import { framing, spacing } from '../form.ts'
import type { ReceiverFactor } from './variation.ts'

/** Writes responses as in HTTP/1.0: without a length. The end of the connection ends the body. */
const respondWithoutLength: ReceiverMiddleware = async (call, next) => {
  const { status, headers = {}, body, raw } = await next()
  const text = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  call.request.resume()
  call.request.socket.end(
    `HTTP/1.0 ${status} Response\r\n${lines.join('')}\r\n${status === 204 ? '' : text}`,
  )
  return new Promise(() => {})
}

/**
 * Variations of form that HTTP and JSON allow in responses. Those that write a whole response come
 * last.
 */
export const form: readonly ReceiverFactor[] = [
  {
    requirement: 'none',
    name: 'headers of responses',
    values: [
      { name: 'few', description: 'Sends only the necessary headers.' },
      {
        name: 'many',
        description: 'Also sends Set-Cookie, ETag, Link and an empty header.',
        deviation: {
          around: async (_call, next) => {
            const reply = await next()
            return {
              ...reply,
              headers: {
                'Set-Cookie': 'a=b; HttpOnly',
                ETag: 'W/"1"',
                Vary: '*',
                'X-Empty': ' ',
                Link: '</a>; rel="next"',
                'X-Request-Id': 'r-1',
                ...reply.headers,
              },
            }
          },
        },
      },
    ],
  },
  ...framing,
  {
    requirement: 'none',
    name: 'media type',
    values: [
      { name: 'application/json', description: 'Sends JSON as application/json.' },
      {
        name: 'a charset',
        description: 'Adds a charset to the media type.',
        choices: { contentTypeCharset: true },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'spacing of JSON',
    values: spacing,
  },
  {
    requirement: 'none',
    name: 'members of responses',
    values: [
      { name: 'few', description: 'Returns an object with one field.' },
      { name: 'more', description: 'Returns additional members.', choices: { extraFields: true } },
    ],
  },
  {
    requirement: 'none',
    name: 'order of members',
    values: [
      { name: 'natural', description: 'Writes members in their usual order.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse order.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'interim responses',
    values: [
      { name: 'none', description: 'Sends one response.' },
      {
        name: 'processing',
        description: 'Sends 102 and 103 before the response.',
        deviation: {
          around: (call, next) => {
            call.request.socket.write(
              'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n',
            )
            return next()
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'version of HTTP',
    values: [
      { name: '1.1', description: 'Responds with HTTP/1.1.' },
      {
        name: '1.0',
        description:
          'Responds with HTTP/1.0 and without a length; the end of the connection ends the body.',
        deviation: { around: respondWithoutLength },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'compression of bodies',
    values: [
      { name: 'none', description: 'Sends bodies uncompressed.' },
      {
        name: 'gzip',
        notCombined: true,
        description: 'Compresses responses even if the client does not accept compressed ones.',
        deviation: {
          around: async (call, next) => {
            const { status, headers = {}, body } = await next()
            const bytes = gzipSync(JSON.stringify(body ?? null))
            const lines = Object.entries({
              'Content-Type': 'application/json',
              'Content-Length': String(bytes.length),
              ...headers,
              'Content-Encoding': 'gzip',
            })
            call.request.resume()
            call.request.socket.write(
              `HTTP/1.1 ${status} Response\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Connection: close\r\n\r\n`,
            )
            call.request.socket.end(bytes)
            return new Promise(() => {})
          },
        },
      },
    ],
  },
]
