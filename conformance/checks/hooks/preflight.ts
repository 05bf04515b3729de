import { flags } from '../../../generated/events/names.ts'
import { isObject } from '../../engine/index.ts'
import { explainRejection } from '../shared/rejected-requests.ts'
import type { Preflight } from '../shared/subject.ts'
import { isSuccess } from './support/expectations.ts'
import { HooksRequests } from './support/requests.ts'
import type { HooksTarget } from './target.ts'

/** An id that no hook has. */
const unknownId = '0'

export const preflight: Preflight<HooksTarget> = {
  addresses: ({ url }) => ({ 'hooks.url': url }),
  async findMistake(target, client) {
    const requests = new HooksRequests(target)
    // A service should refuse this creation, because a hook needs a URL. If it accepts it, the hook
    // is deleted.
    const creation = await client.send(requests.create({}))
    const exchanges = [creation, await client.send(requests.test(unknownId, flags.push))]
    const created = creation.json
    if (isSuccess(creation) && isObject(created) && created['id'] !== undefined)
      await client.send(requests.delete(String(created['id']), creation.request.url))
    return explainRejection(exchanges, {
      url: 'hooks.url',
      part: 'the version segment, such as /api/v4',
      owner: 'hooks.project',
      token: 'hooks.token',
      variable: 'HOOKS_TOKEN',
    })
  },
}
