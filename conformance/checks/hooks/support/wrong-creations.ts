import { NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest, Mailbox } from '../../../wire/index.ts'
import { changeLastCharacter } from '../../shared/access-tokens.ts'
import { withToken } from './requests.ts'
import type { HooksWorld } from './world.ts'

/** Whether the service refused a call. After a server error, the effect of a call is unknown. */
const isRefused = ({ status = 0 }: HttpExchange): boolean =>
  status >= 300 && status < 500 && status !== 429

/** Requests to create a hook that a service should refuse, by what is wrong with each. */
const wrongCreations: Readonly<
  Record<string, (world: HooksWorld, fields: { url: string }) => HttpRequest>
> = {
  'without an access token': ({ request }, fields) => withToken(undefined, request.create(fields)),
  'with a wrong access token': ({ request, target }, fields) =>
    withToken(changeLastCharacter(target.token), request.create(fields)),
  'in a project that does not exist': ({ request, newName }, fields) =>
    request.create(fields, newName()),
  'with an invalid flag': ({ request }, fields) =>
    request.create({ ...fields, push_events: true, issues_events: 'perhaps' }),
  'with an invalid token': ({ request }, fields) =>
    request.create({ ...fields, push_events: true, token: { secret: 'text' } }),
  'with a body that is cut off': ({ request }, { url }) =>
    request.create({
      kind: 'text',
      type: 'application/json',
      text: `{"url": ${JSON.stringify(url)}, "push_events": true`,
    }),
}

/** A request to create a hook that the service should refuse, with its response. */
export interface WrongCreation {
  /** What is wrong with the request. */
  readonly label: string
  /** Only a hook that this request created would deliver to this mailbox. */
  readonly mailbox: Mailbox
  readonly response: HttpExchange
}

/** Sends the requests to create a hook that the service should refuse, each with a new mailbox. */
export const sendWrongCreations = (world: HooksWorld): Promise<WrongCreation[]> =>
  Promise.all(
    Object.entries(wrongCreations).map(async ([label, build]) => {
      const mailbox = await world.openMailbox()
      return { label, mailbox, response: await world.send(build(world, { url: mailbox.url })) }
    }),
  )

/**
 * Returns the calls that the service has refused. If there are none, the check is not covered:
 * other requirements cover whether the service refuses a call.
 */
export function refusedOf<T extends { response: HttpExchange }>(calls: readonly T[]): readonly T[] {
  const refused = calls.filter(({ response }) => isRefused(response))
  if (refused.length === 0)
    throw new NotCovered(
      'the service refused none of the calls of this check: it accepted them or returned a server error',
    )
  return refused
}
