import { jsonAt as valueAt, isSuccess, refused, succeeded } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { noImage, notCompleted } from '../support/read-back.ts'
import { pixelFile } from '../support/requests.ts'
import { withMovedClock } from '../support/timeline.ts'
import type { ImagesWorld } from '../support/world.ts'
import { labelled, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { momentOf } from '../support/moments.ts'
import type { ImagesNeed } from '../target.ts'
import { ifRefused } from '../support/meanings.ts'

const minutes = 60
/**
 * Seconds between the expiry of a ticket and the uploads before and after the expiry. The margin is
 * longer than a request takes, but short enough to detect a server with a slightly different limit.
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
    labelled('an upload two minutes before the expiry', succeeded),
  )
}

/** Expects that an upload to the ticket is refused. */
async function expectExpired(
  { send, expect, readBack, request }: ImagesWorld,
  { id, uploadURL }: { id: string; uploadURL: string },
  label = 'an upload two minutes after the expiry',
): Promise<void> {
  expect(
    await send({ ...request.complete(uploadURL), meaning: 'spent' }),
    labelled(label, refused('spent', 'the URL has expired')),
  )
  readBack(notCompleted(id))
}

/**
 * Whether the clock of the target has reached this time, according to the Date header of the
 * response `read`. If the response has no such header, stores an image and uses its field
 * `uploaded`. This time counts only if it agrees with the clock of the suite, because a server may
 * store a different time.
 */
async function hasReached(
  { send, request, targetTime }: ImagesWorld,
  time: number,
  read: HttpExchange,
): Promise<boolean> {
  const date = momentOf(read.header('date'))
  if (date !== undefined) return date >= time
  const stored = await send(request.upload({ file: pixelFile }))
  const uploaded = momentOf(valueAt(stored, 'result', 'uploaded')) ?? 0
  return uploaded >= time && uploaded <= targetTime() + maxAheadMs
}

/** Milliseconds by which the time of a new image can be ahead of the clock of the suite. */
const maxAheadMs = 30_000

/** Seconds until a ticket expires, in checks that wait instead of moving the clock. */
const awaitedExpiry = 2
const maxAwaitedExpiry = 16
/** Seconds to wait after the expiry, because the Date header counts in whole seconds. */
const awaitedMargin = 1.5
/** The draft is read at most this often, until a response shows that the expiry has passed. */
const maxReads = 4

/**
 * Creates a ticket that expires soon, waits, and expects that an upload is refused. The check is
 * not covered if the server refuses such an expiry, or if its responses do not show that the expiry
 * has passed.
 */
async function expectShortExpiry(world: ImagesWorld): Promise<void> {
  const { send, request, targetTime, wait, expect, readBack } = world
  const createTicket = (expiry: number, format = (utc: string) => utc) =>
    send({
      ...request.ticket({ expiry: format(new Date(expiry).toISOString()) }),
      meaning: ifRefused('invalid'),
    })
  let seconds = awaitedExpiry
  // A whole second, because the format with an offset contains no fractions.
  const chooseExpiry = () => Math.ceil(targetTime() / 1000 + seconds) * 1000
  let expiry = chooseExpiry()
  let ticket = await createTicket(expiry)
  // A request can wait in the queue of the run until its expiry has almost passed. The server then
  // refuses it, so the check tries a later expiry.
  while (!isSuccess(ticket) && expiry - targetTime() < 1000 && seconds < maxAwaitedExpiry) {
    seconds *= 2
    expiry = chooseExpiry()
    ticket = await createTicket(expiry)
  }
  const parts = (exchange: HttpExchange) =>
    [valueAt(exchange, 'result', 'id'), valueAt(exchange, 'result', 'uploadURL')] as const
  const [id, uploadURL] = parts(ticket)
  if (!isSuccess(ticket) || typeof id !== 'string' || typeof uploadURL !== 'string')
    throw new NotCovered<ImagesNeed>(
      `the server does not accept an expiry in ${seconds} seconds (${ticket.summary}); with images.clock, the suite can test later expiries`,
      ['images.clock'],
    )
  const offsetTicket = await createTicket(expiry, withOffset)
  // The clock of `wait` can be faster than that of the target, so this may have to wait again.
  const waitUntil = async (time: number) => {
    while (targetTime() < time) await wait(time - targetTime(), 'the expiry of an upload ticket')
  }
  await waitUntil(expiry + awaitedMargin * 1000)
  let isPast = await hasReached(world, expiry, await send(request.get(id)))
  for (let tries = 1; !isPast && tries < maxReads; tries += 1) {
    await waitUntil(targetTime() + 500)
    isPast = await hasReached(world, expiry, await send(request.get(id)))
  }
  const expectLate = async (ticketId: string, url: string, label: string) => {
    const late = await send({ ...request.complete(url), meaning: 'spent' })
    const isShown = isPast && (momentOf(late.header('date')) ?? expiry) >= expiry
    if (isSuccess(late) && !isShown)
      throw new NotCovered<ImagesNeed>(
        'neither the Date header of a response nor the time of a new image shows that the expiry has passed',
        ['images.clock'],
      )
    expect(late, labelled(label, refused('spent', 'the URL has expired')))
    readBack(notCompleted(ticketId))
  }
  await expectLate(id, uploadURL, 'an upload a few seconds after the expiry')
  const [offsetId, offsetURL] = parts(offsetTicket)
  // The request may have arrived too late, so that the server refused its expiry.
  if (isSuccess(offsetTicket) && typeof offsetId === 'string' && typeof offsetURL === 'string')
    await expectLate(offsetId, offsetURL, 'an upload a few seconds after an expiry with an offset')
}

const inSeconds = (seconds: number, { targetTime }: ImagesWorld) =>
  new Date(targetTime() + seconds * 1000).toISOString()

/**
 * Formats a moment with an offset from UTC. A server that ignores the offset reads a later moment.
 */
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
        async (moveTo, [early, late]) => {
          await moveTo(30 * minutes - margin)
          await expectUsable(world, early.uploadURL)
          await moveTo(30 * minutes + margin)
          await expectExpired(world, late)
        },
      ),
  }),

  // Tests three of the tickets at the same time, because each move of the clock delays all checks
  // that need the clock.
  check('IMG-LIMIT-09', {
    title: 'expires a ticket at its requested expiry',
    sendsEarly: true,
    run: (world) => {
      if (world.target.clock === undefined) return expectShortExpiry(world)
      const createTicket = (seconds: number, format = (utc: string) => utc) =>
        world.createTicket({ expiry: format(inSeconds(seconds, world)) }, 'IMG-TICKET-08')
      return withMovedClock(
        world,
        () =>
          Promise.all([
            createTicket(120 * minutes + margin),
            createTicket(120 * minutes - margin),
            createTicket(120 * minutes - margin, withOffset),
            createTicket(12 * minutes),
          ]),
        async (moveTo, [early, late, offset, short]) => {
          // This time is after the requested expiry of 12 minutes, and before the default expiry.
          await moveTo(30 * minutes - margin)
          await expectExpired(world, short, 'an expiry in 12 minutes')
          await moveTo(120 * minutes)
          await Promise.all([
            expectUsable(world, early.uploadURL),
            expectExpired(world, late),
            expectExpired(world, offset, 'an expiry with an offset'),
          ])
        },
      )
    },
  }),

  // The document does not say whether an expiry in more than 6 hours is refused or reduced to 6
  // hours. If the server accepts it, only moving the clock shows when the ticket expires.
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
      return withMovedClock(world, createTicket, async (moveTo, granted) => {
        const uploadURL = valueAt(granted, 'result', 'uploadURL')
        if (!isSuccess(granted) || typeof uploadURL !== 'string') {
          expect(granted, labelled('an expiry in 6 h 10 min', refused('invalid')))
          return readBack(noImage(id, 'a ticket that expires in 6 h 10 min'))
        }
        readBack(notCompleted(id))
        await moveTo(365 * minutes)
        expect(
          await send({ ...request.complete(uploadURL), meaning: 'spent' }),
          labelled('an expiry in 6 h 10 min', refused('spent', 'the URL has expired')),
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
        async (moveTo, { id }) => {
          await moveTo(30 * minutes + margin)
          world.observe(
            `reading the draft of an expired ticket: status ${(await world.send(world.request.get(id))).status}`,
          )
        },
      ),
  }),
]
