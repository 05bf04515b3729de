import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { alterLastCharacter } from '../support/tokens.ts'
import { deliveryCheck } from '../support/define.ts'
import { collectUntilControlArrives } from '../support/control.ts'
import { withToken } from '../support/requests.ts'
import type { HooksWorld } from '../support/world.ts'

// A call that is refused but carried out nevertheless is not refused.

/**
 * Whether a delivery is a push, which the test call requests. A service may send other requests to
 * a new hook.
 */
const isPush = (delivery: Delivery) =>
  delivery.header('x-hook-event') === events.push.header ||
  (delivery.json as { object_kind?: unknown } | null | undefined)?.object_kind === 'push'

const receivesNothing: Expectation<readonly Delivery[]> = {
  name: 'receives nothing',
  expected: 'no delivery of a push to the URL of the hook',
  test: ({ length }) => length === 0,
  received: ([first]) => first!.summary,
}

const noDeliveryCheck = (
  requirement: RequirementId,
  title: string,
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
          'nothing was delivered for a test call with the right token either, so that the absence of deliveries shows nothing',
        )
      expectValue(received.filter(isPush), receivesNothing)
    },
  })

export const refusedCallsChecks = [
  noDeliveryCheck(
    'HOOK-AUTH-04',
    'delivers nothing for a test call without an access token',
    () => undefined,
  ),
  noDeliveryCheck(
    'HOOK-AUTH-05',
    'delivers nothing for a test call with an invalid access token',
    ({ target }) => alterLastCharacter(target.token),
  ),
]
