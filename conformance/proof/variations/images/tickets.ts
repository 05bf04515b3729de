import { failure, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { onOperations, changeResults } from './building.ts'

/** Refuses a used or expired ticket with this status. */
const refuseSpent = (status: number) =>
  onOperations(['completeDirectUpload'], async (call, next) => {
    const { store, rules, clock, choices } = call.server
    const ticket = store.tickets.get(call.params['token'] ?? '')
    const spent =
      ticket !== undefined &&
      (rules.ticketIsSpent(ticket) || rules.ticketIsExpired(ticket, clock.now()))
    const reply = await next()
    return spent ? failure(choices, status, 'This upload URL is no longer valid') : reply
  })

const changeUploadUrl = (change: (url: string) => string) =>
  changeResults(['createDirectUpload'], (result) => {
    const ticket = result as { uploadURL: string }
    return { ...ticket, uploadURL: change(ticket.uploadURL) }
  })

/** Changes when a ticket with an expiry expires. `change` receives the requested moment. */
const changeExpiry = (change: (moment: number, now: number) => number) =>
  onOperations(['createDirectUpload'], (call: ImagesCall, next) => {
    const { rules, clock } = call.server
    replaceRulesOf(call, {
      parseExpiry: (value) => {
        const moment = rules.parseExpiry(value)
        return moment === undefined ? undefined : change(moment, clock.now())
      },
    })
    return next()
  })

const minute = 60_000

/** Behaviour of tickets that the document does not state. */
export const tickets: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-TICKET-10',
    name: 'an expiry in the past',
    values: [
      { name: 'refused', description: 'Refuses a ticket with an expiry in the past.' },
      {
        name: 'accepted, so the ticket has already expired',
        description: 'Returns a ticket that has already expired.',
        choices: { expiryInPast: 'accept' },
      },
      {
        name: 'replaced by the default',
        description: 'Returns a ticket that is valid for 30 minutes instead.',
        deviation: changeExpiry((moment, now) => (moment < now ? now + 30 * minute : moment)),
      },
      {
        name: 'refused, like every expiry in the next 2 minutes',
        notCombined: true,
        description: 'Refuses an expiry in the past or in the next two minutes.',
        choices: { expiryMinimumMs: 2 * minute },
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-07',
    name: 'an expiry beyond 6 hours',
    values: [
      { name: 'refused', description: 'Refuses an expiry that is more than 6 hours ahead.' },
      {
        name: 'reduced to 6 hours',
        description: 'Returns a ticket that is valid for 6 hours instead.',
        deviation: changeExpiry((moment, now) => Math.min(moment, now + 360 * minute)),
      },
    ],
  },
  {
    requirement: 'IMG-STATE-03',
    name: 'the draft of an expired ticket',
    values: [
      { name: 'deleted', description: 'Removes a draft when its ticket expires.' },
      {
        name: 'kept',
        description: 'Keeps a draft with an expired ticket until a client deletes the draft.',
        deviation: onOperations(
          [
            'getImage',
            'listImages',
            'batchListImages',
            'deleteImage',
            'batchDeleteImage',
            'uploadImage',
            'batchUploadImage',
            'createDirectUpload',
          ],
          (call, next) => {
            replaceRulesOf(call, { ticketIsExpired: () => false })
            return next()
          },
        ),
      },
    ],
  },
  {
    requirement: 'IMG-TICKET-04',
    name: 'the URL of a ticket',
    values: [
      { name: 'a path', description: 'Puts the secret into the path.' },
      {
        name: 'a path and a query',
        description: 'Adds a query to the URL.',
        deviation: changeUploadUrl(
          (url) => `${url}?expires=2030-01-01T00:00:00+02:00&sig=a/b%2Fc==`,
        ),
      },
      {
        name: 'a scheme in capitals',
        description: 'Writes the scheme in upper case.',
        deviation: changeUploadUrl((url) => url.replace(/^http/, 'HTTP')),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the status for an upload URL that was used',
    values: [
      { name: '400', description: 'Refuses a used ticket with 400.' },
      {
        name: '404',
        description: 'Refuses a used or expired ticket with 404.',
        choices: { usedTicketStatus: 404, expiredTicketStatus: 404 },
      },
      {
        name: '401',
        description: 'Refuses a used or expired ticket with 401.',
        unmet: ['IMG-AUTH-12'],
        deviation: refuseSpent(401),
      },
      {
        name: '403',
        notCombined: true,
        description: 'Refuses a used or expired ticket with 403.',
        deviation: refuseSpent(403),
      },
      {
        name: '410, which the document does not list',
        notCombined: true,
        description: 'Refuses a used or expired ticket with 410.',
        deviation: refuseSpent(410),
      },
    ],
  },
]
