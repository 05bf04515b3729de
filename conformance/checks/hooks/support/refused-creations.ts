import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { changeLastCharacter } from '../../shared/access-tokens.ts'
import { withToken } from './requests.ts'
import type { HooksWorld } from './world.ts'

/** Whether the service refused a call. After a server error, the effect of a call is unknown. */
export const isRefused = ({ status = 0 }: HttpExchange): boolean =>
  status >= 300 && status < 500 && status !== 429

/** Creations that a service should refuse, by what is wrong with them. */
export const refusedCreations: Readonly<
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
