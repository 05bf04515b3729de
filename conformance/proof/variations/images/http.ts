import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { framing, spacing } from '../form.ts'
import type { ImagesFactor } from './variation.ts'
import { headers, isObject, kept } from './building.ts'

const calls = kept(() => ({ count: 0 }))

/** Perturbations of form: what HTTP and JSON leave to whoever writes them. What changes the bytes of a whole body comes last. */
export const form: readonly ImagesFactor[] = [
  {
    requirement: 'form',
    name: 'headers of answers',
    levels: [
      { name: 'few', description: 'Sends what is needed.' },
      {
        name: 'many',
        description: 'Sends a cookie, a tag, a policy and an empty header.',
        deviation: headers(() => ({
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
    requirement: 'form',
    name: 'interim answers',
    levels: [
      { name: 'none', description: 'Answers once.' },
      {
        name: 'early hints',
        description: 'Sends early hints before the answer.',
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
    requirement: 'form',
    name: 'time of answers',
    levels: [
      { name: 'at once', description: 'Answers as fast as it can.' },
      {
        name: 'uneven',
        description: 'Takes its time for some calls, so that answers overtake each other.',
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
    requirement: 'form',
    name: 'reads after writes',
    levels: [
      { name: 'at once', description: 'Shows a write at once.' },
      {
        name: 'later',
        description: 'Shows for a while what was before a write.',
        // It promises five times what it takes: on a busy machine its own timers are late.
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
    levels: [
      { name: 'application/json', description: 'Calls envelopes application/json.' },
      {
        name: 'a charset',
        description: 'Adds the charset.',
        choices: { contentTypeCharset: true },
      },
      {
        name: 'a suffix',
        description: 'Has a media type of its own with the suffix +json.',
        deviation: headers(() => ({ 'Content-Type': 'application/vnd.images.v1+json' })),
      },
      {
        name: 'capitals',
        notCombined: true,
        description: 'Writes it in capitals with a quoted parameter.',
        deviation: headers(() => ({ 'Content-Type': 'Application/JSON ; Charset="UTF-8"' })),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'text of JSON',
    levels: [
      ...spacing,
      {
        name: 'escaped',
        description: 'Escapes what may be escaped, and puts white space around.',
        deviation: {
          around: async (_call, next) => {
            const reply = await next()
            return reply.raw !== undefined || !isObject(reply.body)
              ? reply
              : { ...reply, raw: `\r\n\t ${escaped(JSON.stringify(reply.body))} \n` }
          },
        },
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
        description:
          'Compresses JSON, whatever the request says of codings: RFC 9110 §12.5.3 only advises against it.',
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

/** The same JSON with every letter of its texts and names escaped that is no digit, and with the solidus escaped. */
function escaped(json: string): string {
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
