import type { ImagesCall, ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, isObject } from './building.ts'

/** The hosts of the API; the delivery host returns images. */
const apiHosts: readonly string[] = ['account', 'batch', 'upload']

/** Changes the envelopes of all hosts of the API. */
function changeEnvelope(
  change: (
    reply: ImagesReply,
    body: Record<string, unknown>,
    call: ImagesCall,
  ) => ImagesReply | undefined,
): ImagesFault['make'] {
  return (hit) => ({
    around: async (call, next) => {
      const reply = await next()
      if (!apiHosts.includes(call.host) || !isObject(reply.body)) return reply
      const changed = change(reply, reply.body, call)
      if (changed !== undefined) hit()
      return changed ?? reply
    },
  })
}

const changeFailure = (
  change: (reply: ImagesReply, body: Record<string, unknown>) => ImagesReply,
) => changeEnvelope((reply, body) => (reply.status === 200 ? undefined : change(reply, body)))

export const envelope: readonly ImagesFault[] = [
  fault(
    'envelopes-are-wrapped',
    'Returns an object whose field `data` contains the envelope.',
    ['IMG-ADDRESS-01', 'IMG-ENVELOPE-02', 'IMG-ENVELOPE-04'],
    changeEnvelope((reply, body) => ({ ...reply, body: { data: body } })),
  ),
  fault(
    'deletion-without-an-envelope',
    'Returns an empty object instead of an envelope when an image is deleted.',
    ['IMG-ENVELOPE-02', 'IMG-ENVELOPE-04'],
    changeEnvelope((reply, body, { operation }) =>
      reply.status === 200 && operation === 'deleteImage'
        ? { ...reply, body: body['result'] }
        : undefined,
    ),
  ),
  fault(
    'deletion-shows-its-result-as-a-string',
    'Returns a string as the result when an image is deleted.',
    ['IMG-ENVELOPE-05'],
    changeEnvelope((reply, body, { operation }) =>
      reply.status === 200 && operation === 'deleteImage'
        ? { ...reply, body: { ...body, result: 'deleted' } }
        : undefined,
    ),
  ),
  fault(
    'failures-as-plain-text',
    'Returns failures as plain text.',
    ['IMG-ENVELOPE-01'],
    changeFailure((reply, body) => ({
      ...reply,
      raw: String((body['errors'] as { message: string }[])[0]?.message),
      headers: { ...reply.headers, 'Content-Type': 'text/plain' },
    })),
  ),
  fault(
    'failures-with-an-html-page',
    'Returns failures as HTML pages.',
    ['IMG-ENVELOPE-01'],
    changeFailure((reply) => ({
      ...reply,
      raw: `<!doctype html><title>Error ${reply.status}</title>`,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'failures-with-status-200',
    'Returns failures with status 200.',
    ['IMG-ENVELOPE-03', 'IMG-ENVELOPE-05', 'IMG-STATUS-01'],
    changeFailure((reply) => ({ ...reply, status: 200 })),
  ),
  fault(
    'failures-say-success-true',
    'Returns failures with success: true.',
    ['IMG-ENVELOPE-03'],
    changeFailure((reply, body) => ({ ...reply, body: { ...body, success: true } })),
  ),
  fault(
    'one-error-for-errors',
    'Returns errors as one object instead of an array.',
    ['IMG-ENVELOPE-06'],
    changeFailure((reply, body) => ({
      ...reply,
      body: { ...body, errors: (body['errors'] as unknown[])[0] },
    })),
  ),
  fault(
    'envelopes-announced-as-html',
    'Returns envelopes with the media type of HTML.',
    ['IMG-ENVELOPE-09'],
    changeEnvelope((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'envelopes-announced-as-nothing',
    'Returns envelopes without a Content-Type.',
    ['IMG-ENVELOPE-09'],
    changeEnvelope((reply) => ({ ...reply, headers: { ...reply.headers, 'Content-Type': '' } })),
  ),
  fault(
    'envelopes-begin-with-a-mark',
    'Writes a byte order mark before each envelope.',
    ['IMG-ENVELOPE-11'],
    changeEnvelope((reply) => ({ ...reply, raw: `\ufeff${JSON.stringify(reply.body)}` })),
  ),
  fault(
    'failures-without-errors',
    'Returns failures with an empty array of errors.',
    ['IMG-ENVELOPE-12'],
    changeFailure((reply, body) => ({ ...reply, body: { ...body, errors: [] } })),
  ),
]
