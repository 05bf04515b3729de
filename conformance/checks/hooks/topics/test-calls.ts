import { labelled, NotCovered } from '../../../engine/index.ts'
import { statusOf, succeeded } from '../support/expectations.ts'
import { check, deliveryCheck } from '../support/define.ts'
import type { HooksWorld } from '../support/world.ts'

/** Expects that a hook is not found under the path of another project. */
async function expectRefusedIn(world: HooksWorld, project: string): Promise<void> {
  const { createHook, testHook, isSuccess } = world
  await testHook(await createHook())
  const hook = await createHook()
  world.expect(await world.send(world.request.test(hook.id, 'push_events', project)), {
    name: 'is refused',
    expected: 'a refusal, because the hook belongs to another project',
    test: (response) => response.status !== undefined && !isSuccess(response),
  })
}

export const testCallsChecks = [
  check('HOOK-TEST-01', {
    title: 'accepts a test call',
    async run({ createHook, send, expect, isSuccess, requireReached, request }) {
      const { id } = await createHook()
      const response = await send({ ...request.test(id, 'push_events'), meaning: 'success' })
      // The failure may mean that the service could not deliver to the suite.
      if (!isSuccess(response)) await requireReached()
      expect(response, succeeded)
    },
  }),

  deliveryCheck('HOOK-TEST-02', {
    title: 'sends a delivery after a successful test call',
    async run({ createHook, testHook, receiveDelivery, expectValue, arrivesAfter }) {
      const hook = await createHook({ push_events: true })
      const call = await testHook(hook)
      expectValue(await receiveDelivery(hook, { event: 'push' }), arrivesAfter(call))
    },
  }),

  deliveryCheck('HOOK-TEST-03', {
    title: 'accepts a second test call for the same hook',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, testHook, expectSuccess, receiveDelivery, request } = world
      const hook = await createHook({ push_events: true })
      await testHook(hook)
      await receiveDelivery(hook, { event: 'push' })
      const call = await expectSuccess(request.test(hook.id, 'push_events'), 'a second call')
      world.expectValue(
        await receiveDelivery(hook, { event: 'push' }),
        labelled('a second call', world.arrivesAfter(call)),
      )
    },
  }),

  check('HOOK-TEST-04', {
    title: 'records how test calls for unknown events are handled',
    root: 'HOOK-TEST-01',
    async run({ createHook, send, observe, request }) {
      const { id } = await createHook()
      for (const [label, event] of [
        ['touchstone_events', 'touchstone_events'],
        ['push (instead of push_events)', 'push'],
      ] as const)
        observe(`a test call for ${label}: ${statusOf(await send(request.test(id, event)))}`)
    },
  }),

  check('HOOK-TEST-05', {
    title: 'refuses to test a hook that does not exist',
    needs: ['hooks.state'],
    root: 'HOOK-TEST-01',
    async run({ createHook, expectRefusal, request }) {
      const { id } = await createHook()
      // The largest integer that every JSON parser reads exactly. It is very unlikely to be the id
      // of a hook.
      await expectRefusal(request.test('9007199254740991', 'push_events'), {
        contrast: request.test(id, 'push_events'),
      })
    },
  }),

  check('HOOK-TEST-06', {
    title: 'refuses a test call for a hook in an unknown project',
    root: 'HOOK-TEST-01',
    run: (world) => expectRefusedIn(world, world.newName()),
  }),

  check('HOOK-TEST-06', {
    title: 'refuses a test call for a hook in another project',
    root: 'HOOK-TEST-01',
    needs: ['hooks.otherProject'],
    run: (world) => expectRefusedIn(world, world.target.otherProject!),
  }),

  check('HOOK-TEST-07', {
    title: 'records the response to a test call',
    root: 'HOOK-TEST-01',
    async run({ createHook, testHook, observe }) {
      const response = await testHook(await createHook())
      observe(
        `a test call: status ${response.status}, ${response.body.length === 0 ? 'no body' : `Content-Type ${response.header('content-type') ?? 'missing'}`}`,
      )
    },
  }),

  deliveryCheck('HOOK-TEST-09', {
    title: 'sends a delivery after a test call of a hook in another project',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject'],
    async run(world) {
      const { createHook, send, request, target } = world
      const project = target.otherProject!
      const hook = await createHook({ push_events: true }, { project })
      const call = await send(request.test(hook.id, 'push_events', project))
      if (!world.isSuccess(call))
        throw new NotCovered(`the other project refuses a test call: ${statusOf(call)}`)
      world.expectValue(
        await world.receiveDelivery(hook, { event: 'push' }),
        world.arrivesAfter(call),
      )
    },
  }),
]
