import { labelled } from '../../../engine/index.ts'
import { statusOf, succeeded } from '../support/expectations.ts'
import { check, deliveryCheck } from '../support/define.ts'

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
    title: 'records how a test call for a hook in an unknown project is handled',
    root: 'HOOK-TEST-01',
    async run({ createHook, newName, send, observe, request }) {
      const { id } = await createHook()
      const test = request.test(id, 'push_events')
      const testInUnknownProject = {
        ...test,
        url: test.url.replace(/\/projects\/[^/]+\//, `/projects/${newName()}/`),
      }
      observe(
        `a test call for a hook in an unknown project: ${statusOf(await send(testInUnknownProject))}`,
      )
    },
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
]
