import { jsonAt as valueAt, isSuccess, refused, succeeded } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { withMovedClock } from '../support/timeline.ts'
import type { ImagesWorld } from '../support/world.ts'
import { labelled } from '../../../engine/index.ts'
import { ifRefused } from '../support/meanings.ts'

const minutes = 60
/**
 * Seconds before and after the expiry of a ticket: longer than requests take, and shorter than the
 * error of a wrong limit.
 */
const margin = 2 * minutes

/** Expects that an upload to the ticket succeeds. */
async function expectUsable(
  { send, blockIfOperationBroken, expect, request }: ImagesWorld,
  uploadURL: string,
): Promise<void> {
  expect(
    await blockIfOperationBroken(
      await send({ ...request.complete(uploadURL), meaning: 'success' }),
    ),
    labelled('two minutes before', succeeded),
  )
}

/** Expects that an upload to the ticket is refused. */
async function expectExpired(
  { send, expect, request }: ImagesWorld,
  uploadURL: string,
): Promise<void> {
  expect(
    await send({ ...request.complete(uploadURL), meaning: 'spent' }),
    labelled('two minutes after', refused('spent', 'the URL has expired')),
  )
}

const inSeconds = (seconds: number, { clock }: ImagesWorld) =>
  new Date(clock.realTime() + seconds * 1000).toISOString()

export const expiryChecks = [
  check('IMG-LIMIT-06', {
    title: 'expires a ticket after 30 minutes',
    run: (world) =>
      withMovedClock(
        world,
        () => Promise.all([world.createTicket(), world.createTicket()]),
        async (at, [early, late]) => {
          await at(30 * minutes - margin)
          await expectUsable(world, early.uploadURL)
          await at(30 * minutes + margin)
          await expectExpired(world, late.uploadURL)
        },
      ),
  }),

  // Both tickets are used at the same time, because each move of the clock delays all checks that
  // need it.
  check('IMG-LIMIT-09', {
    title: 'expires a ticket at its requested expiry',
    run: (world) => {
      const lasting = (seconds: number) =>
        world.createTicket({ expiry: inSeconds(seconds, world) }, 'IMG-TICKET-08')
      return withMovedClock(
        world,
        () => Promise.all([lasting(120 * minutes + margin), lasting(120 * minutes - margin)]),
        async (at, [early, late]) => {
          await at(120 * minutes)
          await Promise.all([
            expectUsable(world, early.uploadURL),
            expectExpired(world, late.uploadURL),
          ])
        },
      )
    },
  }),

  // The document does not say whether a later expiry is refused or reduced to 6 hours: only a moved
  // clock shows whether such a ticket remains valid.
  check('IMG-LIMIT-07', {
    title: 'expires every ticket within 6 hours',
    needs: ['images.clock'],
    run: (world) => {
      const { send, expect, request } = world
      const createTicket = () =>
        send({
          ...request.ticket({ expiry: inSeconds(370 * minutes, world) }),
          meaning: ifRefused('invalid'),
        })
      return withMovedClock(world, createTicket, async (at, granted) => {
        const uploadURL = valueAt(granted, 'result', 'uploadURL')
        if (!isSuccess(granted) || typeof uploadURL !== 'string')
          return expect(granted, labelled('in 6 h 10 min', refused('invalid')))
        await at(365 * minutes)
        expect(
          await send({ ...request.complete(uploadURL), meaning: 'spent' }),
          labelled('in 6 h 10 min', refused('spent', 'the URL has expired')),
        )
      })
    },
  }),

  check('IMG-STATE-03', {
    title: 'records what happens to the draft of an expired ticket',
    run: (world) =>
      withMovedClock(
        world,
        () => world.createTicket(),
        async (at, { id }) => {
          await at(30 * minutes + margin)
          world.observe(
            `reading the draft of an expired ticket: status ${(await world.send(world.request.get(id))).status}`,
          )
        },
      ),
  }),
]
