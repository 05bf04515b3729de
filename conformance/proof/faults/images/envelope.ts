import type { ImagesCall, ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, isObject } from './building.ts'

/** Writes the envelopes of the account host and of the batch host in another way. */
function enveloped(
  change: (
    reply: ImagesReply,
    body: Record<string, unknown>,
    call: ImagesCall,
  ) => ImagesReply | undefined,
): ImagesFault['make'] {
  return (hit) => ({
    around: async (call, next) => {
      const reply = await next()
      if ((call.host !== 'account' && call.host !== 'batch') || !isObject(reply.body)) return reply
      const changed = change(reply, reply.body, call)
      if (changed !== undefined) hit()
      return changed ?? reply
    },
  })
}

const failed = (change: (reply: ImagesReply, body: Record<string, unknown>) => ImagesReply) =>
  enveloped((reply, body) => (reply.status === 200 ? undefined : change(reply, body)))

export const envelope: readonly ImagesFault[] = [
  fault(
    'envelopes-are-wrapped',
    'Each envelope is a member named data of another object.',
    ['IMG-ADDRESS-01', 'IMG-ENVELOPE-02', 'IMG-ENVELOPE-04'],
    enveloped((reply, body) => ({ ...reply, body: { data: body } })),
  ),
  fault(
    'deletion-without-an-envelope',
    'Deleting an image answers with an empty object.',
    ['IMG-ENVELOPE-02', 'IMG-ENVELOPE-04'],
    enveloped((reply, body, { operation }) =>
      reply.status === 200 && operation === 'deleteImage'
        ? { ...reply, body: body['result'] }
        : undefined,
    ),
  ),
  fault(
    'deletion-shows-its-result-as-a-text',
    'Deleting an image answers with a text as its result.',
    ['IMG-ENVELOPE-05'],
    enveloped((reply, body, { operation }) =>
      reply.status === 200 && operation === 'deleteImage'
        ? { ...reply, body: { ...body, result: 'deleted' } }
        : undefined,
    ),
  ),
  fault(
    'failures-as-plain-text',
    'Failures are sent as plain text.',
    ['IMG-ENVELOPE-01'],
    failed((reply, body) => ({
      ...reply,
      raw: String((body['errors'] as { message: string }[])[0]?.message),
      headers: { ...reply.headers, 'Content-Type': 'text/plain' },
    })),
  ),
  fault(
    'failures-with-an-html-page',
    'Failures are sent as a page for browsers.',
    ['IMG-ENVELOPE-01'],
    failed((reply) => ({
      ...reply,
      raw: `<!doctype html><title>Error ${reply.status}</title>`,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'failures-with-status-200',
    'Failures are sent with the status of success.',
    ['IMG-ENVELOPE-03', 'IMG-ENVELOPE-05', 'IMG-STATUS-01'],
    failed((reply) => ({ ...reply, status: 200 })),
  ),
  fault(
    'failures-say-success-true',
    'The envelope of a failure says that it succeeded.',
    ['IMG-ENVELOPE-03'],
    failed((reply, body) => ({ ...reply, body: { ...body, success: true } })),
  ),
  fault(
    'one-error-for-errors',
    'A failure carries one error as an object in place of the array.',
    ['IMG-ENVELOPE-06'],
    failed((reply, body) => ({
      ...reply,
      body: { ...body, errors: (body['errors'] as unknown[])[0] },
    })),
  ),
  fault(
    'envelopes-announced-as-html',
    'Envelopes are announced as HTML.',
    ['IMG-ENVELOPE-09'],
    enveloped((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'envelopes-announced-as-nothing',
    'Envelopes come without a Content-Type.',
    ['IMG-ENVELOPE-09'],
    enveloped((reply) => ({ ...reply, headers: { ...reply.headers, 'Content-Type': '' } })),
  ),
]
