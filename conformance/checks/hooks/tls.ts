import type { RequirementId } from '../../../generated/requirements/index.ts'
import { Blocked, expectation } from '../../engine/index.ts'
import type { Delivery } from '../../wire/index.ts'
import { deliveryCheck } from './define.ts'
import type { Fields } from './requests.ts'
import { arrives } from './testing.ts'
import type { HooksWorld } from './world.ts'

/** Milliseconds that a delivery which must not come is waited for at least, once one that must has come. */
const grace = 250

/** Nothing comes to a hook that verifies, where one that does not verify gets its delivery at the very same receiver: without it, silence proves nothing. */
async function sendsNothing({ hook, send, arrival, expectOf, wait, test, clock, request }: HooksWorld, verifying: Fields): Promise<void> {
  const [wary, control] = await Promise.all([hook(verifying, { secure: true }), hook({ enable_ssl_verification: false }, { secure: true })])
  // The call itself may tell that the delivery failed.
  await send(request.test(wary.id, 'push_events'))
  const asked = clock.now()
  await test(control)
  if ((await arrival(control, { event: 'push' })) === undefined) throw new Blocked('EVT-AUTH-02', 'nothing came to the hook that does not verify either')
  await wait(Math.max(grace, 3 * (clock.now() - asked)))
  const none = expectation<readonly Delivery[]>('gets nothing', 'no request at a receiver whose certificate nobody signed', ({ length }) => length === 0, ([first]) => first!.summary)
  expectOf(wary.mailbox.deliveries, none)
}

const check = (requirement: RequirementId, title: string, play: (world: HooksWorld) => Promise<void>) => deliveryCheck(requirement, { title, root: 'HOOK-TEST-02', needs: ['suite.receiver.tlsUrl'], play })

export const tls = [
  check('EVT-AUTH-01', 'verifies certificates where it is told to', (world) => sendsNothing(world, { enable_ssl_verification: true })),

  check('HOOK-CONFIG-20', 'verifies certificates where nothing is said', (world) => sendsNothing(world, {})),

  check('EVT-AUTH-02', 'delivers over TLS where it is told not to verify', async ({ hook, test, arrival, expectOf }) => {
    const made = await hook({ enable_ssl_verification: false }, { secure: true })
    await test(made)
    expectOf(await arrival(made, { event: 'push' }), arrives)
  }),
]
