import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { framing, spacing } from '../form.ts'
import type { ImagesFactor } from './variation.ts'
import { addHeaders, isObject, newState } from './building.ts'

const calls = newState(() => ({ count: 0 }))

/**
 * Variations that HTTP and JSON allow in the form of responses. Those that change the bytes of a
 * whole body come last.
 */
export const form: readonly ImagesFactor[] = [
  {
    requirement: 'none',
    name: 'headers of responses',
    values: [
      { name: 'few', description: 'Sends only the necessary headers.' },
      {
        name: 'many',
        description: 'Sends additional headers, such as Set-Cookie, ETag, Link and an empty one.',
        deviation: addHeaders(() => ({
          'Set-Cookie': 'a=b; HttpOnly',
          ETag: 'W/"1"',
          Vary: '*',
          'X-Empty': ' ',
          'Access-Control-Allow-Origin': '*',
          Link: '</a>; rel="next"',
        })),
      },
    ],
  },
  ...framing,
  {
    requirement: 'none',
    name: 'interim responses',
    values: [
      { name: 'none', description: 'Sends one response.' },
      {
        name: 'early hints',
        description: 'Sends early hints before the response.',
        deviation: {
          around: (call, next) => {
            call.request.socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n')
            return next()
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'duration of responses',
    values: [
      { name: 'at once', description: 'Responds as fast as it can.' },
      {
        name: 'uneven',
        description: 'Delays some responses, so that others overtake them.',
        deviation: {
          around: async (call, next) => {
            await sleep(((calls(call).count += 7) % 4) * 3)
            return next()
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'reads after writes',
    values: [
      {
        name: 'return the new state',
        description: 'Returns the new state immediately after a write.',
      },
      {
        name: 'return the old state for a short time',
        description: 'Returns the old state for a short time after a write.',
        // `settleMs` determines how long the suite waits. It is five times the actual delay of the
        // server, 40 ms, because the timers of the server are late on a busy machine.
        choices: { settleMs: 200 },
        deviation: {
          around: (call, next) => {
            call.server.store.settleMs = 40
            return next()
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-09',
    name: 'media type',
    values: [
      { name: 'application/json', description: 'Sends envelopes as application/json.' },
      {
        name: 'a charset',
        description: 'Adds the charset.',
        choices: { contentTypeCharset: true },
      },
      {
        name: 'a suffix',
        description: 'Uses a media type with the suffix +json.',
        deviation: addHeaders(() => ({ 'Content-Type': 'application/vnd.images.v1+json' })),
      },
      {
        name: 'capitals',
        notCombined: true,
        description: 'Writes the media type with capitals and a quoted parameter.',
        deviation: addHeaders(() => ({ 'Content-Type': 'Application/JSON ; Charset="UTF-8"' })),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'escapes in JSON',
    values: [
      ...spacing,
      {
        name: 'escaped',
        description: 'Escapes letters, slashes and non-ASCII characters, and adds whitespace.',
        deviation: {
          around: async (_call, next) => {
            const reply = await next()
            return reply.raw !== undefined || !isObject(reply.body)
              ? reply
              : { ...reply, raw: `\r\n\t ${escapeJson(JSON.stringify(reply.body))} \n` }
          },
        },
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
        description:
          'Compresses JSON with gzip even if the client does not accept gzip, which RFC 9110 §12.5.3 only advises against.',
        deviation: {
          around: async (call, next) => {
            const reply = await next()
            if (!isObject(reply.body)) return reply
            const text =
              reply.raw ?? JSON.stringify(reply.body, null, call.server.choices.prettyJson ? 2 : 0)
            return {
              status: reply.status,
              body: gzipSync(text),
              headers: {
                'Content-Type': 'application/json',
                ...reply.headers,
                'Content-Encoding': 'gzip',
              },
            }
          },
        },
      },
    ],
  },
]

/**
 * Returns the same JSON with escapes for letters, slashes and non-ASCII characters in its strings
 * and names.
 */
function escapeJson(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/\\.|[a-zA-Z/\u0080-\uffff]/g, (letter) =>
      letter.startsWith('\\')
        ? letter
        : letter === '/'
          ? '\\/'
          : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}
