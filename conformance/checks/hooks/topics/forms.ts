import { NotCovered } from '../../../engine/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { createFromForm } from '../support/forms.ts'

export const formsChecks = [
  deliveryCheck('EVT-HEADER-01', {
    title: 'sends the token of a hook that was created from a form unchanged',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { newName, testHook, receiveDelivery, expectValue } = world
      // In a form, each of these characters is encoded, or separates fields.
      const token = `${newName()}=a%41+b c&d`
      const hook = await createFromForm(world, { push_events: true, token })
      await testHook(hook)
      const delivery = await receiveDelivery(hook, { event: 'push' })
      if (delivery === undefined)
        throw new NotCovered(
          `nothing was delivered ${world.inTime} after a test call of a hook that was created from a form`,
        )
      expectValue(delivery.header('x-hook-token') ?? '', {
        name: 'has the token of the form',
        expected: `X-Hook-Token: "${token}"`,
        test: (sent) => sent === token,
        received: (sent) => `X-Hook-Token: "${sent}"`,
      })
    },
  }),

  deliveryCheck('EVT-AUTH-02', {
    title: 'accepts a self-signed certificate if a form turns verification off',
    root: 'HOOK-TEST-02',
    needs: ['suite.receiver.tlsUrl'],
    async run(world) {
      const hook = await createFromForm(world, { enable_ssl_verification: false }, { secure: true })
      // The status does not matter: the call may report that the delivery failed.
      const call = await world.send(world.request.test(hook.id, 'push_events'))
      world.expectValue(
        await world.receiveDelivery(hook, { event: 'push' }),
        world.arrivesAfter(call),
      )
    },
  }),
]
