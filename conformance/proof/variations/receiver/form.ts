import { gzipSync } from 'node:zlib'
import type { ReceiverMiddleware } from '../../../../mocks/stateful/receiver.ts'
import { framing, spacing } from '../form.ts'
import type { ReceiverFactor } from './variation.ts'

/** Writes answers as HTTP/1.0 did: without a length, to the end of the connection. */
const untilTheEnd: ReceiverMiddleware = async (call, next) => {
  const { status, headers = {}, body, raw } = await next()
  const text = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  call.request.resume()
  call.request.socket.end(
    `HTTP/1.0 ${status} Answered\r\n${lines.join('')}\r\n${status === 204 ? '' : text}`,
  )
  return new Promise(() => {})
}

/** Perturbations of form: what HTTP and JSON leave to whoever writes answers. What writes a whole answer comes last. */
export const form: readonly ReceiverFactor[] = [
  {
    requirement: 'form',
    name: 'headers of answers',
    levels: [
      { name: 'few', description: 'Sends what is needed.' },
      {
        name: 'many',
        description: 'Sends a cookie, a tag, a link and an empty header.',
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
    requirement: 'form',
    name: 'media type',
    levels: [
      { name: 'application/json', description: 'Calls JSON application/json.' },
      {
        name: 'a charset',
        description: 'Adds the charset.',
        choices: { contentTypeCharset: true },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'text of JSON',
    levels: spacing,
  },
  {
    requirement: 'form',
    name: 'members of answers',
    levels: [
      { name: 'few', description: 'Says in a word what became of a delivery.' },
      { name: 'more', description: 'Adds further members.', choices: { extraFields: true } },
    ],
  },
  {
    requirement: 'form',
    name: 'order of members',
    levels: [
      { name: 'natural', description: 'Writes what matters first.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'interim answers',
    levels: [
      { name: 'none', description: 'Answers once.' },
      {
        name: 'processing',
        description: 'Says that it is at work before it answers.',
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
    requirement: 'form',
    name: 'version of HTTP',
    levels: [
      { name: '1.1', description: 'Answers as HTTP/1.1 has it.' },
      {
        name: '1.0',
        description: 'Answers without a length, to the end of the connection.',
        deviation: { around: untilTheEnd },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'coding of bodies',
    levels: [
      { name: 'none', description: 'Sends bodies as they are.' },
      {
        name: 'gzip',
        notCombined: true,
        description: 'Compresses its answers, whatever the request says of codings.',
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
              `HTTP/1.1 ${status} Answered\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Connection: close\r\n\r\n`,
            )
            call.request.socket.end(bytes)
            return new Promise(() => {})
          },
        },
      },
    ],
  },
]
