import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, type Expectation, NotCovered } from '../../../engine/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { collectUntilControlArrives } from '../support/control.ts'
import type { Fields } from '../support/requests.ts'
import { arrives } from '../support/expectations.ts'
import type { HooksWorld } from '../support/world.ts'

/** Nothing comes to a hook that verifies, where one that does not verify gets its delivery at the very same receiver: without it, silence proves nothing. */
async function expectNoDelivery(world: HooksWorld, verifying: Fields): Promise<void> {
  const { createHook, send, request, expectOf } = world
  const control = await createHook({ enable_ssl_verification: false }, { secure: true })
  const verifyingHook = await createHook(verifying, { secure: true }).catch((error: unknown) => {
    // A service may look at a certificate when it is asked to deliver there.
    throw error instanceof Blocked
      ? new NotCovered('no hook is made for a receiver whose certificate nobody signed')
      : error
  })
  // The call itself may tell that the delivery failed.
  await send(request.test(verifyingHook.id, 'push_events'))
  const received = await collectUntilControlArrives(world, verifyingHook, control)
  if (received === undefined)
    throw new Blocked('EVT-AUTH-02', 'nothing came to the hook that does not verify either')
  const none: Expectation<readonly Delivery[]> = {
    name: 'gets nothing',
    expected: 'no request at a receiver whose certificate nobody signed',
    test: ({ length }) => length === 0,
    received: ([first]) => first!.summary,
  }
  expectOf(received, none)
}

const check = (
  requirement: RequirementId,
  title: string,
  run: (world: HooksWorld) => Promise<void>,
) =>
  deliveryCheck(requirement, {
    title,
    root: 'HOOK-TEST-02',
    needs: ['suite.receiver.tlsUrl'],
    run,
  })

export const tls = [
  check('EVT-AUTH-01', 'verifies certificates where it is told to', (world) =>
    expectNoDelivery(world, { enable_ssl_verification: true }),
  ),

  check('HOOK-CONFIG-20', 'verifies certificates where nothing is said', (world) =>
    expectNoDelivery(world, {}),
  ),

  check(
    'EVT-AUTH-02',
    'delivers over TLS where it is told not to verify',
    async ({ createHook, testHook, receiveDelivery, expectOf }) => {
      const hook = await createHook({ enable_ssl_verification: false }, { secure: true })
      await testHook(hook)
      expectOf(await receiveDelivery(hook, { event: 'push' }), arrives)
    },
  ),
]
