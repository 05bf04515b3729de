import { jsonOf } from '../../../../mocks/stateful/http/body.ts'
import type { ReceiverCall } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverFault } from './fault.ts'
import { failure, fault } from './building.ts'

/** Reads the body of a delivery in the parts in which it arrives. */
const readParts = ({ request }: ReceiverCall): Promise<Buffer[]> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(parts))
  })

/** Receivers that expect the whole body in one part, or its length. */
export const bodies: readonly ReceiverFault[] = [
  fault(
    'chunks-are-not-read',
    'Takes the body of a delivery without Content-Length for empty, and refuses it.',
    ['EVT-RECEIVER-32'],
    (hit) => ({
      around: async (call, next) => {
        const { rules, options } = call.server
        const isTrusted = rules.acceptsToken(call.headers['x-hook-token'], options.secret)
        if (!isTrusted || call.headers['transfer-encoding'] !== 'chunked') return next()
        hit()
        return failure(400)
      },
    }),
  ),
  fault(
    'only-the-first-part-is-read',
    'Reads only the first part of a body, and refuses it if it is not JSON.',
    ['EVT-RECEIVER-26'],
    (hit) => ({
      around: async (call, next) => {
        const parts = await readParts(call)
        call.bytes = () => Promise.resolve(Buffer.concat(parts))
        if (parts.length < 2 || jsonOf(parts[0]!) !== undefined) return next()
        hit()
        return failure(400)
      },
    }),
  ),
  fault(
    'each-part-is-decoded-alone',
    'Refuses a body if one of its parts ends within a character.',
    ['EVT-RECEIVER-26'],
    (hit) => ({
      around: async (call, next) => {
        const parts = await readParts(call)
        call.bytes = () => Promise.resolve(Buffer.concat(parts))
        if (!parts.some((part) => part.toString().includes('\ufffd'))) return next()
        hit()
        return failure(400)
      },
    }),
  ),
]
