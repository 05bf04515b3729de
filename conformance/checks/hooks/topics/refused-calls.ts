import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered } from '../../../engine/index.ts'
import { changeLastCharacter } from '../../shared/access-tokens.ts'
import { deliveryCheck } from '../support/define.ts'
import { isPush, receivesNothing } from '../support/expectations.ts'
import { collectUntilControlArrives } from '../support/control.ts'
import { withToken } from '../support/requests.ts'
import type { HooksWorld } from '../support/world.ts'

// A service must not deliver anything for a test call that it refuses.

const noDeliveryCheck = (
  requirement: RequirementId,
  title: string,
  label: string,
  tokenOf: (world: HooksWorld) => string | undefined,
) =>
  deliveryCheck(requirement, {
    title,
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, send, request, expectValue } = world
      const [silent, control] = await Promise.all([
        createHook({ push_events: true }),
        createHook({ push_events: true }),
      ])
      await send(withToken(tokenOf(world), request.test(silent.id, 'push_events')))
      const received = await collectUntilControlArrives(world, silent, control)
      if (received === undefined)
        throw new NotCovered(
          `nothing was delivered ${world.inTime} after a test call with a valid access token either, so the absence of deliveries proves nothing`,
        )
      expectValue(received.filter(isPush), receivesNothing(`${label}: receives nothing`))
    },
  })

export const refusedCallsChecks = [
  noDeliveryCheck(
    'HOOK-AUTH-04',
    'delivers nothing for a test call without an access token',
    'a test call without an access token',
    () => undefined,
  ),
  noDeliveryCheck(
    'HOOK-AUTH-05',
    'delivers nothing for a test call with an invalid access token',
    'an access token whose last character is wrong',
    ({ target }) => changeLastCharacter(target.token),
  ),
]
