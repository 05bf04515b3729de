import {
  failure,
  type ImagesCall,
  type Image,
  type ImagesReply,
  type Store,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { countHit, type Hit } from '../../../../mocks/kit/kit.ts'
import { fault, onRequest, onResult, replaceRules } from './building.ts'

const at = 'completeDirectUpload'
type Next = () => Promise<ImagesReply>

/**
 * Makes the first upload to a ticket wait up to 300 ms for a second upload. So both overlap even on
 * a busy machine.
 */
class ConcurrentUploads {
  private readonly waiting = new Map<string, () => void>()

  async wait(token: string): Promise<void> {
    const resume = this.waiting.get(token)
    if (resume !== undefined) return resume()
    await new Promise<void>((resolve) => {
      this.waiting.set(token, resolve)
      setTimeout(resolve, 300)
    })
    this.waiting.delete(token)
  }
}

/**
 * Handles two concurrent uploads to one ticket: `first` handles the upload that arrives first,
 * `second` handles the other upload.
 */
const onConcurrentUploads =
  (
    first: (call: ImagesCall, next: Next, hit: Hit) => Promise<ImagesReply>,
    second: (call: ImagesCall, next: Next, hit: Hit) => Promise<ImagesReply>,
  ): ImagesFault['make'] =>
  (hit) => {
    const uploads = new ConcurrentUploads()
    const busy = new Set<string>()
    const concurrent = new Set<string>()
    return {
      around: async (call, next) => {
        if (call.operation !== at) return next()
        const token = call.params['token'] ?? ''
        if (busy.has(token)) {
          concurrent.add(token)
          await uploads.wait(token)
          return second(call, next, hit)
        }
        busy.add(token)
        try {
          await uploads.wait(token)
          return await (concurrent.has(token) ? first(call, next, hit) : next())
        } finally {
          busy.delete(token)
        }
      },
    }
  }
/** Does something to the ticket of an upload URL that is opened with GET. */
const onOpened =
  (change: (token: string, store: Store) => void): ImagesFault['make'] =>
  (hit) => ({
    onUploadUrlRead(token, { store }) {
      if (!store.tickets.has(token)) return
      hit()
      change(token, store)
    },
  })

/** Changes the image of a direct upload whose form contains a field. */
const onCompleted = (
  field: string,
  change: (call: ImagesCall, image: Image, value: string) => void,
): ImagesFault['make'] =>
  onRequest(async (call, next, hit) => {
    const { store } = call.server
    const ticket = store.tickets.get(call.params['token'] ?? '')
    const reply = await next()
    const image = ticket === undefined ? undefined : store.get(ticket.id)
    if (reply.status !== 200 || image === undefined) return reply
    const value = (await call.form()).fields[field]
    if (value === undefined) return reply
    hit()
    change(call, image, value)
    return reply
  }, at)

const handleNormally = (_call: ImagesCall, next: Next) => next()
const acceptAgain = (call: ImagesCall, next: Next, hit: Hit) =>
  replaceRules(
    (rules) => ({ ticketIsSpent: countHit(hit, rules.ticketIsSpent, () => false) }),
    at,
  )(hit).around!(call, next)
const refuseUpload = async (
  { server }: ImagesCall,
  _next: Next,
  hit: Hit,
): Promise<ImagesReply> => {
  hit()
  return failure(server.choices, 400, 'Another upload is in progress')
}
const returnUnavailable = async (
  _call: ImagesCall,
  _next: Next,
  hit: Hit,
): Promise<ImagesReply> => {
  hit()
  return {
    status: 503,
    headers: { 'Retry-After': '1' },
    body: { success: false, errors: [{ code: 10053, message: 'Busy, try again' }] },
  }
}
const closeConnection = (call: ImagesCall, next: Next, hit: Hit) => {
  hit()
  call.request.socket.destroy()
  return next()
}

/** Changes the id of a completed image. */
const moveImage = (after: (store: Store, image: Image) => void): ImagesFault['make'] =>
  onRequest(async (call, next, hit) => {
    const { store } = call.server
    const ticket = store.tickets.get(call.params['token'] ?? '')
    const reply = await next()
    const image = ticket === undefined ? undefined : store.get(ticket.id)
    if (reply.status !== 200 || image === undefined || image.draft) return reply
    hit()
    store.remove(image.id)
    store.add({ ...image, id: `${image.id}-stored` })
    after(store, image)
    return reply
  }, at)

export const completion: readonly ImagesFault[] = [
  fault(
    'completion-requires-a-token',
    'Requires an API token for the upload to a ticket.',
    ['IMG-COMPLETE-01'],
    onRequest(async (call, next, hit) => {
      if (call.headers['authorization'] !== undefined) return next()
      hit()
      return failure(call.server.choices, 401, 'The API token is missing')
    }, at),
  ),

  fault(
    'upload-url-is-used-up-by-get',
    'Uses up an upload URL that is opened with GET.',
    ['IMG-COMPLETE-07'],
    onOpened((token, store) => store.markTicketUsed(store.tickets.get(token)!)),
  ),
  fault(
    'draft-is-deleted-by-get',
    'Deletes the draft of an upload URL that is opened with GET.',
    ['IMG-COMPLETE-07'],
    onOpened((token, store) => store.remove(store.tickets.get(token)!.id)),
  ),

  fault(
    'completion-accepts-any-part',
    'Accepts a part of any name as the file of an upload to a ticket.',
    ['IMG-COMPLETE-02'],
    replaceRules(
      (rules, hit) => ({ isCompletionPart: countHit(hit, rules.isCompletionPart, () => true) }),
      at,
    ),
  ),
  fault(
    'completion-succeeds-without-a-file',
    'Returns a success for an upload to a ticket without a part named file.',
    ['IMG-COMPLETE-02'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 400 || !/^multipart/i.test(call.headers['content-type'] ?? ''))
        return reply
      const form = await call.form()
      if (form.files.some(({ name }) => name === 'file')) return reply
      hit()
      return { status: 200, body: { success: true, result: {}, errors: [], messages: [] } }
    }, at),
  ),

  fault(
    'end-user-chooses-the-id',
    'Stores a direct upload under the id in the form, in place of the id of the ticket.',
    ['IMG-TICKET-03'],
    onCompleted('id', ({ server: { store } }, image, id) => {
      store.images.delete(image.id)
      image.id = id
      store.images.set(id, image)
    }),
  ),
  fault(
    'end-user-chooses-the-privacy',
    'Uses requireSignedURLs in the form of a direct upload in place of that of the ticket.',
    ['IMG-TICKET-05'],
    onCompleted('requireSignedURLs', (_call, image, value) => {
      image.requireSignedURLs = value === 'true'
    }),
  ),
  fault(
    'upload-url-works-again',
    'Accepts a second upload to an uploadURL.',
    ['IMG-COMPLETE-03'],
    replaceRules(
      (rules, hit) => ({
        ticketIsSpent: countHit(hit, rules.ticketIsSpent, ({ state }) => state === 'reserved'),
      }),
      at,
    ),
  ),
  fault(
    'second-upload-is-ignored',
    'Ignores a second upload to an uploadURL and returns a success.',
    ['IMG-COMPLETE-03'],
    onRequest(async (call, next, hit) => {
      if (call.server.store.tickets.get(call.params['token'] ?? '')?.state !== 'spent')
        return next()
      hit()
      return { status: 200, body: { success: true, result: {}, errors: [], messages: [] } }
    }, at),
  ),

  fault(
    'refused-second-upload-replaces-the-bytes',
    'Refuses a second upload to an uploadURL, but stores its bytes in place of the first ones.',
    ['IMG-COMPLETE-03'],
    onRequest(async (call, next, hit) => {
      const { store } = call.server
      const ticket = store.tickets.get(call.params['token'] ?? '')
      const reply = await next()
      const image = ticket === undefined ? undefined : store.get(ticket.id)
      if (reply.reason !== 'ticket-used' || image === undefined) return reply
      const [file] = (await call.form()).files
      if (file === undefined) return reply
      hit()
      image.bytes = file.bytes
      return reply
    }, at),
  ),

  fault(
    'concurrent-uploads-both-succeed',
    'Returns a success for both of two concurrent uploads to one uploadURL.',
    ['IMG-COMPLETE-04'],
    onConcurrentUploads(acceptAgain, acceptAgain),
  ),
  fault(
    'concurrent-uploads-both-fail',
    'Refuses both of two concurrent uploads to one uploadURL.',
    ['IMG-COMPLETE-04'],
    onConcurrentUploads(refuseUpload, refuseUpload),
  ),
  fault(
    'concurrent-upload-returns-503',
    'Returns 503 with Retry-After to one of two concurrent uploads to one uploadURL.',
    ['IMG-COMPLETE-04'],
    onConcurrentUploads(handleNormally, returnUnavailable),
  ),
  fault(
    'concurrent-upload-gets-no-response',
    'Does not respond to one of two concurrent uploads to one uploadURL.',
    ['IMG-COMPLETE-04'],
    onConcurrentUploads(handleNormally, closeConnection),
  ),

  fault(
    'upload-that-began-earlier-succeeds-too',
    'Accepts an upload that began before another upload to the same uploadURL had ended.',
    ['IMG-COMPLETE-04'],
    onRequest(async (call, next, hit) => {
      const ticket = call.server.store.tickets.get(call.params['token'] ?? '')
      const wasOpen = ticket?.state === 'open'
      await call.form().catch(() => undefined)
      return wasOpen && ticket.state === 'spent' ? acceptAgain(call, next, hit) : next()
    }, at),
  ),

  fault(
    'completed-image-shows-another-id',
    'Returns an uploaded image with an id that differs from the id of its ticket.',
    ['IMG-TICKET-03'],
    (hit) => {
      const ids = new Set<unknown>()
      const recordId = onResult(({ id }) => void ids.add(id), 'createDirectUpload')(hit).around!
      const changeId = onResult((result) => {
        if (result['draft'] === true || !ids.has(result['id'])) return
        hit()
        result['id'] = `image-${String(result['id'])}`
      }, 'getImage')(hit).around!
      return { around: (call, next) => recordId(call, () => changeId(call, next)) }
    },
  ),
  fault(
    'completed-image-moves-to-another-id',
    'Stores the file of a ticket under an id that differs from the id of the ticket.',
    ['IMG-TICKET-03'],
    moveImage(() => {}),
  ),
  fault(
    'completed-image-leaves-its-draft-behind',
    "Stores the file of a ticket under an id that differs from the ticket's, and keeps the draft.",
    ['IMG-TICKET-03', 'IMG-STATE-02'],
    moveImage((store, draft) => void store.add({ ...draft, draft: true, bytes: undefined })),
  ),
]
