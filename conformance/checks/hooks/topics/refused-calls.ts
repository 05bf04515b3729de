import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { alterLastCharacter } from '../support/tokens.ts'
import { deliveryCheck } from '../support/define.ts'
import { collectUntilControlArrives } from '../support/control.ts'
import { withToken } from '../support/requests.ts'
import type { HooksWorld } from '../support/world.ts'

// A call that is refused in words and carried out all the same is not refused.

/** Whatever else a service may send to a new hook: what the test call asks for is a push. */
const isPush = (delivery: Delivery) =>
  delivery.header('x-hook-event') === events.push.header ||
  (delivery.json as { object_kind?: unknown } | null | undefined)?.object_kind === 'push'

const none: Expectation<readonly Delivery[]> = {
  name: 'gets nothing',
  expected: 'no push at the url of the hook',
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
      const { createHook, send, request, expectOf } = world
      const [quiet, control] = await Promise.all([
        createHook({ push_events: true }),
        createHook({ push_events: true }),
      ])
      await send(withToken(tokenOf(world), request.test(quiet.id, 'push_events')))
      const received = await collectUntilControlArrives(world, quiet, control)
      if (received === undefined)
        throw new NotCovered(
          'nothing was delivered to the hook that was tested with the right token either',
        )
      expectOf(received.filter(isPush), none)
    },
  })

export const refusedCalls = [
  noDeliveryCheck(
    'HOOK-AUTH-04',
    'delivers nothing for a test call without a token',
    () => undefined,
  ),
  noDeliveryCheck(
    'HOOK-AUTH-05',
    'delivers nothing for a test call with a token that is not valid',
    ({ target }) => alterLastCharacter(target.token),
  ),
]
