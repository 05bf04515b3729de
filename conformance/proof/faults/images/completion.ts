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

/** Makes the first upload to a ticket wait for a rival, for a while: so they meet on a busy machine too. */
class Meetings {
  private readonly waiting = new Map<string, () => void>()

  async wait(token: string): Promise<void> {
    const rival = this.waiting.get(token)
    if (rival !== undefined) return rival()
    await new Promise<void>((resolve) => {
      this.waiting.set(token, resolve)
      setTimeout(resolve, 300)
    })
    this.waiting.delete(token)
  }
}

/** Two uploads to one ticket at the same time: how the first is answered once it met the other, and how the other. */
const rivals =
  (
    first: (call: ImagesCall, next: Next, hit: Hit) => Promise<ImagesReply>,
    other: (call: ImagesCall, next: Next, hit: Hit) => Promise<ImagesReply>,
  ): ImagesFault['make'] =>
  (hit) => {
    const meetings = new Meetings()
    const busy = new Set<string>()
    const rivalled = new Set<string>()
    return {
      around: async (call, next) => {
        if (call.operation !== at) return next()
        const token = call.params['token'] ?? ''
        if (busy.has(token)) {
          rivalled.add(token)
          await meetings.wait(token)
          return other(call, next, hit)
        }
        busy.add(token)
        try {
          await meetings.wait(token)
          return await (rivalled.has(token) ? first(call, next, hit) : next())
        } finally {
          busy.delete(token)
        }
      },
    }
  }
const right = (_call: ImagesCall, next: Next) => next()
const takenAgain = (call: ImagesCall, next: Next, hit: Hit) =>
  replaceRules(
    (rules) => ({ ticketIsSpent: countHit(hit, rules.ticketIsSpent, () => false) }),
    at,
  )(hit).around!(call, next)
const lost = async ({ server }: ImagesCall, _next: Next, hit: Hit): Promise<ImagesReply> => {
  hit()
  return failure(server.choices, 400, 'Somebody else is uploading')
}
const unavailable = async (_call: ImagesCall, _next: Next, hit: Hit): Promise<ImagesReply> => {
  hit()
  return {
    status: 503,
    headers: { 'Retry-After': '1' },
    body: { success: false, errors: [{ code: 10053, message: 'Busy, try again' }] },
  }
}
const hungUp = (call: ImagesCall, next: Next, hit: Hit) => {
  hit()
  call.request.socket.destroy()
  return next()
}

/** Moves a completed image to another id. */
const moved = (after: (store: Store, image: Image) => void): ImagesFault['make'] =>
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
    'completion-demands-a-token',
    'The upload to a ticket needs an API token.',
    ['IMG-COMPLETE-01'],
    onRequest(async (call, next, hit) => {
      if (call.headers['authorization'] !== undefined) return next()
      hit()
      return failure(call.server.choices, 401, 'The API token is missing')
    }, at),
  ),

  fault(
    'completion-takes-any-part',
    'The upload to a ticket takes the file of a part of any name.',
    ['IMG-COMPLETE-02'],
    replaceRules(
      (rules, hit) => ({ completionPart: countHit(hit, rules.completionPart, () => true) }),
      at,
    ),
  ),
  fault(
    'completion-succeeds-without-a-file',
    'The upload to a ticket is a success where it has no part named file.',
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
    'upload-url-works-again',
    'An uploadURL takes a further upload after the first one.',
    ['IMG-COMPLETE-03'],
    replaceRules(
      (rules, hit) => ({
        ticketIsSpent: countHit(hit, rules.ticketIsSpent, ({ state }) => state === 'reserved'),
      }),
      at,
    ),
  ),
  fault(
    'second-upload-is-passed-over',
    'A second upload to an uploadURL changes nothing and is answered as a success.',
    ['IMG-COMPLETE-03'],
    onRequest(async (call, next, hit) => {
      if (call.server.store.tickets.get(call.params['token'] ?? '')?.state !== 'spent')
        return next()
      hit()
      return { status: 200, body: { success: true, result: {}, errors: [], messages: [] } }
    }, at),
  ),

  fault(
    'rivals-both-succeed',
    'Of two uploads to one uploadURL at the same time both succeed.',
    ['IMG-COMPLETE-04'],
    rivals(takenAgain, takenAgain),
  ),
  fault(
    'rivals-both-fail',
    'Of two uploads to one uploadURL at the same time neither succeeds.',
    ['IMG-COMPLETE-04'],
    rivals(lost, lost),
  ),
  fault(
    'rival-is-put-off',
    'Of two uploads to one uploadURL at the same time one is not refused but told to come again.',
    ['IMG-COMPLETE-04'],
    rivals(right, unavailable),
  ),
  fault(
    'rival-is-hung-up',
    'Of two uploads to one uploadURL at the same time one gets no answer.',
    ['IMG-COMPLETE-04'],
    rivals(right, hungUp),
  ),

  fault(
    'completed-image-shows-another-id',
    "An image that came by a ticket shows another id than its ticket's.",
    ['IMG-TICKET-03'],
    (hit) => {
      const ids = new Set<unknown>()
      const noted = onResult(({ id }) => void ids.add(id), 'createDirectUpload')(hit).around!
      const shown = onResult((result) => {
        if (result['draft'] === true || !ids.has(result['id'])) return
        hit()
        result['id'] = `image-${String(result['id'])}`
      }, 'getImage')(hit).around!
      return { around: (call, next) => noted(call, () => shown(call, next)) }
    },
  ),
  fault(
    'completed-image-moves-to-another-id',
    'The file of a ticket is stored as a new image under an id of its own.',
    ['IMG-TICKET-03'],
    moved(() => {}),
  ),
  fault(
    'completed-image-leaves-its-draft-behind',
    'The file of a ticket is stored under an id of its own, and the draft stays as it was.',
    ['IMG-TICKET-03', 'IMG-STATE-02'],
    moved((store, draft) => void store.add({ ...draft, draft: true, bytes: undefined })),
  ),
]
