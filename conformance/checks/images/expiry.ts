import type { RequirementId } from '../../../generated/requirements/index.ts'
import { at, isSuccess, refused, succeeded } from './expectations.ts'
import { check } from './define.ts'
import type { ImagesWorld } from './world.ts'
import { on } from '../../engine/index.ts'

const minutes = 60

/** Uploads to one ticket shortly before it expires, and to another shortly after. */
async function expires({ ticket, send, grounded, expect, request, atClock }: ImagesWorld, root: RequirementId, body: Record<string, unknown>, after: number) {
  const [early, late] = await Promise.all([ticket(body, root), ticket(body, root)])
  await atClock(
    [after - 2 * minutes, async () => expect(await grounded(await send(request.complete(early.uploadURL))), on('two minutes before', succeeded))],
    [after + 2 * minutes, async () => expect(await send(request.complete(late.uploadURL)), on('two minutes after', refused('spent')))],
  )
}

export const expiry = [
  check('IMG-LIMIT-06', {
    title: 'expires a ticket after 30 minutes',
    exclusive: 'run',
    play: (world) => expires(world, 'IMG-TICKET-01', {}, 30 * minutes),
  }),

  check('IMG-LIMIT-09', {
    title: 'expires a ticket when it said it would',
    exclusive: 'run',
    play: (world) => expires(world, 'IMG-TICKET-08', { expiry: new Date(world.clock.now() + 120 * minutes * 1000).toISOString() }, 120 * minutes),
  }),

  // Whether a later expiry is refused or cut down to 6 hours is not said: only the clock tells whether such a ticket lives on.
  check('IMG-LIMIT-07', {
    title: 'lets no ticket live for more than 6 hours',
    needs: ['images.clock'],
    exclusive: 'run',
    async play({ send, expect, request, clock, atClock }) {
      const granted = await send(request.ticket({ expiry: new Date(clock.now() + 370 * minutes * 1000).toISOString() }))
      const uploadURL = at(granted, 'result', 'uploadURL')
      if (!isSuccess(granted) || typeof uploadURL !== 'string') return expect(granted, on('in 6 h 10 min', refused('invalid')))
      const past = await atClock([365 * minutes, () => send(request.complete(uploadURL))])
      expect(past, on('in 6 h 10 min', refused('spent')))
    },
  }),

  check('IMG-STATE-03', {
    title: 'does something with the draft of an expired ticket',
    exclusive: 'run',
    async play({ ticket, send, observe, request, atClock }) {
      const { id } = await ticket()
      observe(`reading it gives ${(await atClock([40 * minutes, () => send(request.get(id))])).status}`)
    },
  }),
]
