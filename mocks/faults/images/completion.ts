import { failure, type Reply } from '../../stateful/images.ts'
import type { Fault } from '../fault.ts'
import { answers, around, bent, fault, fails, ruled } from './building.ts'

const at = 'completeDirectUpload'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Takes its time over a file, so that rivals for one ticket meet. */
const slow: Fault['make'] = around(at, (call, next) => {
  const right = call.form.bind(call)
  call.form = async () => { await pause(80); return right() }
  return next()
})

/** What rivals for one ticket get: `lose` answers whoever comes while another is at it. */
const rivals = (lose: (hit: () => void) => Fault['make'] | undefined, spoil = false): Fault['make'] => (hit) => {
  const busy = new Set<string>()
  const rivalled = new Set<string>()
  return {
    around: async (call, next) => {
      if (call.operation !== at) return next()
      const token = call.params['token'] ?? ''
      if (busy.has(token)) {
        rivalled.add(token)
        return lose(hit)!(hit).around!(call, next)
      }
      busy.add(token)
      try {
        const reply = await slow(hit).around!(call, next)
        if (!spoil || !rivalled.has(token) || reply.status !== 200) return reply
        hit()
        return failure(call.server.choices, 400, 'Somebody else is uploading')
      } finally {
        busy.delete(token)
      }
    },
  }
}

const unavailable = around(at, async (_call, _next, hit): Promise<Reply> => {
  hit()
  return { status: 503, headers: { 'Retry-After': '1' }, body: { success: false, errors: [{ code: 10053, message: 'Busy, try again' }] } }
})
const hungUp = around(at, async (call, next, hit) => {
  hit()
  call.request.socket.destroy()
  return next()
})

export const completion: readonly Fault[] = [
  fault('completion-demands-a-token', 'The upload to a ticket needs an API token.', ['IMG-COMPLETE-01'],
    around(at, (call, next, hit) => (call.headers['authorization'] === undefined ? fails(at, 401, 'The API token is missing')(hit).around!(call, next) : next()))),

  fault('completion-takes-any-part', 'The upload to a ticket takes the file of a part of any name.', ['IMG-COMPLETE-02'],
    ruled(at, (rules, hit) => ({ completionPart: bent(hit, rules.completionPart, () => true) }))),
  fault('completion-succeeds-without-a-file', 'The upload to a ticket is a success where it has no part named file.', ['IMG-COMPLETE-02'],
    around(at, async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 400 || !/^multipart/i.test(call.headers['content-type'] ?? '')) return reply
      const form = await call.form()
      if (form.files.some(({ name }) => name === 'file')) return reply
      hit()
      return { status: 200, body: { success: true, result: {}, errors: [], messages: [] } }
    })),

  fault('upload-url-works-again', 'An uploadURL takes a further upload after the first one.', ['IMG-COMPLETE-03'],
    ruled(at, (rules, hit) => ({ ticketIsSpent: bent(hit, rules.ticketIsSpent, ({ state }) => state === 'reserved') }))),
  fault('second-upload-is-passed-over', 'A second upload to an uploadURL changes nothing and is answered as a success.', ['IMG-COMPLETE-03'],
    around(at, async (call, next, hit) => {
      if (call.server.store.tickets.get(call.params['token'] ?? '')?.state !== 'spent') return next()
      hit()
      return { status: 200, body: { success: true, result: {}, errors: [], messages: [] } }
    })),

  fault('rivals-both-succeed', 'Of two uploads to one uploadURL at the same time both succeed.', ['IMG-COMPLETE-04'], (hit) => {
    const rule = ruled(at, (rules) => ({ ticketIsSpent: bent(hit, rules.ticketIsSpent, ({ state }) => state === 'spent') }))(hit).around!
    return { around: (call, next) => rule(call, () => slow(hit).around!(call, next)) }
  }),
  fault('rivals-both-fail', 'Of two uploads to one uploadURL at the same time neither succeeds.', ['IMG-COMPLETE-04'],
    rivals(() => around(at, (call, next) => next()), true)),
  fault('rival-is-put-off', 'Of two uploads to one uploadURL at the same time one is not refused but told to come again.', ['IMG-COMPLETE-04'], rivals(() => unavailable)),
  fault('rival-is-hung-up', 'Of two uploads to one uploadURL at the same time one gets no answer.', ['IMG-COMPLETE-04'], rivals(() => hungUp)),

  fault('completed-image-shows-another-id', "An image that came by a ticket shows another id than its ticket's.", ['IMG-TICKET-03'], (hit) => {
    const ids = new Set<unknown>()
    const noted = answers('createDirectUpload', ({ id }) => void ids.add(id))(hit).around!
    const shown = answers('getImage', (result) => {
      if (result['draft'] === true || !ids.has(result['id'])) return
      hit()
      result['id'] = `image-${String(result['id'])}`
    })(hit).around!
    return { around: (call, next) => noted(call, () => shown(call, next)) }
  }),
  fault('completed-image-moves-to-another-id', 'The file of a ticket is stored as a new image under an id of its own.', ['IMG-TICKET-03'],
    around(at, async (call, next, hit) => {
      const { store } = call.server
      const ticket = store.tickets.get(call.params['token'] ?? '')
      const reply = await next()
      const image = ticket === undefined ? undefined : store.get(ticket.id)
      if (reply.status !== 200 || image === undefined || image.draft) return reply
      hit()
      store.remove(image.id)
      store.add({ ...image, id: `${image.id}-stored` })
      return reply
    })),
]
