import { randomUUID } from 'node:crypto'
import {
  failure,
  type ImagesCall,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import { fault, onRequest, resultOf } from './building.ts'
import type { ImagesFault } from './fault.ts'

/** How a server responds to a file above the maximum size. It stores the file in any case. */
type OversizeHandling =
  | 'accepts'
  | 'refuses'
  /** Refuses the call, and stores the file under a generated id. */
  | 'refuses-and-stores-elsewhere'

/** The size of the file that a successful call stored. */
async function sizeOf(call: ImagesCall, reply: ImagesReply): Promise<number> {
  const [file] = (await call.form()).files
  const image = call.server.store.get(String(resultOf(reply)['id']))
  return file?.bytes.length ?? image?.bytes?.length ?? 0
}

/** Stores a file above the maximum size in the calls that `isAffected` selects. */
export const storeTooLarge = (
  name: string,
  description: string,
  operation: ImagesOperation,
  handling: OversizeHandling,
  isAffected: (call: ImagesCall) => Promise<boolean> = () => Promise.resolve(true),
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-LIMIT-11'],
    onRequest(async (call, next, hit): Promise<ImagesReply> => {
      const { server } = call
      const { maxFileBytes } = server.options
      // The larger maximum must be set before `isAffected` or the handler reads the form.
      call.server = { ...server, options: { ...server.options, maxFileBytes: 64 * maxFileBytes } }
      if (!(await isAffected(call))) call.server = server
      const reply = await next()
      if (reply.status !== 200 || (await sizeOf(call, reply)) <= maxFileBytes) return reply
      hit()
      if (handling === 'accepts') return reply
      const image = server.store.get(String(resultOf(reply)['id']))
      if (handling === 'refuses-and-stores-elsewhere' && image !== undefined) {
        server.store.remove(image.id)
        server.store.add({ ...image, id: randomUUID() })
      }
      return failure(server.choices, 413, 'The file is too large')
    }, operation),
  )
