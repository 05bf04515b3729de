import { jsonAt as valueAt, isSuccess, refused, succeeded } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { noImage, notCompleted } from '../support/read-back.ts'
import { withMovedClock } from '../support/timeline.ts'
import type { ImagesWorld } from '../support/world.ts'
import { labelled } from '../../../engine/index.ts'
import { ifRefused } from '../support/meanings.ts'

const minutes = 60
/**
 * Seconds before and after the expiry of a ticket: longer than requests take, and shorter than the
 * difference between the stated limit and a wrong one.
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
  { send, expect, readBack, request }: ImagesWorld,
  { id, uploadURL }: { id: string; uploadURL: string },
  label = 'two minutes after',
): Promise<void> {
  expect(
    await send({ ...request.complete(uploadURL), meaning: 'spent' }),
    labelled(label, refused('spent', 'the URL has expired')),
  )
  readBack(notCompleted(id))
}

const inSeconds = (seconds: number, { targetTime }: ImagesWorld) =>
  new Date(targetTime() + seconds * 1000).toISOString()

/** Formats a moment with an offset from UTC. A server that ignores the offset reads a later one. */
const withOffset = (utc: string) => {
  const local = new Date(Date.parse(utc) + 2 * 3_600_000)
  return `${local.toISOString().slice(0, 19)}+02:00`
}

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
          await expectExpired(world, late)
        },
      ),
  }),

  // Three tickets are used at one time, because each move of the clock delays all checks that need
  // it.
  check('IMG-LIMIT-09', {
    title: 'expires a ticket at its requested expiry',
    run: (world) => {
      const lasting = (seconds: number, format = (utc: string) => utc) =>
        world.createTicket({ expiry: format(inSeconds(seconds, world)) }, 'IMG-TICKET-08')
      return withMovedClock(
        world,
        () =>
          Promise.all([
            lasting(120 * minutes + margin),
            lasting(120 * minutes - margin),
            lasting(120 * minutes - margin, withOffset),
            lasting(12 * minutes),
          ]),
        async (at, [early, late, offset, short]) => {
          // After the requested expiry, and before the default one.
          await at(30 * minutes - margin)
          await expectExpired(world, short, 'in 12 minutes')
          await at(120 * minutes)
          await Promise.all([
            expectUsable(world, early.uploadURL),
            expectExpired(world, late),
            expectExpired(world, offset, 'with an offset'),
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
      const { send, expect, readBack, request, newName } = world
      const id = newName()
      const createTicket = () =>
        send({
          ...request.ticket({ id, expiry: inSeconds(370 * minutes, world) }),
          meaning: ifRefused('invalid'),
        })
      return withMovedClock(world, createTicket, async (at, granted) => {
        const uploadURL = valueAt(granted, 'result', 'uploadURL')
        if (!isSuccess(granted) || typeof uploadURL !== 'string') {
          expect(granted, labelled('in 6 h 10 min', refused('invalid')))
          return readBack(noImage(id))
        }
        readBack(notCompleted(id))
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
