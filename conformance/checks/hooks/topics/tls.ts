import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { collectUnwanted, deliverControl } from '../support/control.ts'
import type { CreatedHook } from '../support/hook.ts'
import type { Fields } from '../support/requests.ts'
import { inTurn } from '../support/project-events.ts'
import { receivesNothing } from '../support/expectations.ts'
import type { HooksWorld } from '../support/world.ts'

/**
 * Expects no delivery for a hook that verifies certificates and whose receiver has a self-signed
 * certificate. The same receiver must get a delivery for a control hook that does not verify
 * certificates. Otherwise the absence of the first delivery proves nothing. `during` runs what
 * sends requests.
 */
async function expectNoDelivery(
  world: HooksWorld,
  verifying: Fields,
  {
    isControlNewer = false,
    during = (work) => work(),
  }: { isControlNewer?: boolean; during?: (work: () => Promise<Calls>) => Promise<Calls> } = {},
): Promise<void> {
  const { silent, controlMs } = await during(() => callBoth(world, verifying, isControlNewer))
  if (controlMs === undefined)
    throw new Blocked(
      'EVT-AUTH-02',
      `nothing was delivered ${world.inTime} after a test call of a hook with enable_ssl_verification false either`,
    )
  world.expectValue(
    await collectUnwanted(world, silent, controlMs),
    receivesNothing('receives nothing', 'no request to a receiver with a self-signed certificate'),
  )
  world.expectValue(await world.countUnencrypted(), {
    name: 'receives nothing without TLS',
    expected: 'no HTTP request without TLS at the port of an https URL',
    test: (count) => count === 0,
    received: (count) => `${count} such ${count === 1 ? 'request' : 'requests'}`,
  })
}

/** The hook that verifies certificates, and the duration of the delivery to the other one. */
interface Calls {
  silent: CreatedHook
  controlMs: number | undefined
}

async function callBoth(
  world: HooksWorld,
  verifying: Fields,
  isControlNewer: boolean,
): Promise<Calls> {
  const { createHook, send, request } = world
  const createControl = () => createHook({ enable_ssl_verification: false }, { secure: true })
  const olderControl = isControlNewer ? undefined : await createControl()
  const silent = await createHook(verifying, { secure: true }).catch((error: unknown) => {
    // A service may verify the certificate when a hook is created.
    throw error instanceof Blocked
      ? new NotCovered(
          'the service refuses to create a hook whose receiver has a self-signed certificate',
        )
      : error
  })
  const control = olderControl ?? (await createControl())
  // The status does not matter: the call may report that the delivery failed.
  await send(request.test(silent.id, 'push_events'))
  return { silent, controlMs: await deliverControl(world, control) }
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

export const tlsChecks = [
  check(
    'EVT-AUTH-01',
    'rejects a self-signed certificate if enable_ssl_verification is true',
    (world) => expectNoDelivery(world, { enable_ssl_verification: true }),
  ),

  check(
    'EVT-AUTH-01',
    'verifies certificates for a hook even if a newer hook does not verify them',
    async (world) => {
      // Before the final stage, other checks create hooks, so the control would not be the newest
      // hook.
      await world.waitForStage('final')
      await expectNoDelivery(
        world,
        { enable_ssl_verification: true },
        { isControlNewer: true, during: (work) => inTurn(world, work) },
      )
    },
  ),

  check('HOOK-CONFIG-20', 'verifies certificates by default', (world) =>
    expectNoDelivery(world, {}),
  ),

  check('HOOK-CONFIG-20', 'verifies certificates by default for a hook with a token', (world) =>
    expectNoDelivery(world, { token: `${world.newName()}.Secure` }),
  ),

  check(
    'EVT-AUTH-02',
    'accepts a self-signed certificate if enable_ssl_verification is false',
    async ({ createHook, newName, send, request, receiveDelivery, expectValue, arrivesAfter }) => {
      const hook = await createHook(
        { enable_ssl_verification: false, token: `${newName()}-Tls` },
        { secure: true },
      )
      // The status does not matter: the call may report that the delivery failed.
      const call = await send(request.test(hook.id, 'push_events'))
      expectValue(await receiveDelivery(hook, { event: 'push' }), arrivesAfter(call))
    },
  ),
]
