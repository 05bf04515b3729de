import { arrives } from '../support/expectations.ts'
import { check, deliveryCheck } from '../support/define.ts'

export const testCalls = [
  check('HOOK-TEST-01', {
    title: 'carries out a test call',
    async run({ createHook, expectSuccess, request }) {
      await expectSuccess(request.test((await createHook()).id, 'push_events'))
    },
  }),

  deliveryCheck('HOOK-TEST-02', {
    title: 'delivers where a test call succeeds',
    async run({ createHook, testHook, receiveDelivery, expectOf }) {
      const hook = await createHook({ push_events: true })
      await testHook(hook)
      expectOf(await receiveDelivery(hook, { event: 'push' }), arrives)
    },
  }),

  deliveryCheck('HOOK-TEST-03', {
    title: 'carries out a test call again',
    root: 'HOOK-TEST-02',
    async run({ createHook, testHook, expectSuccess, receiveDelivery, expectOf, request }) {
      const hook = await createHook({ push_events: true })
      await testHook(hook)
      await receiveDelivery(hook, { event: 'push' })
      await expectSuccess(request.test(hook.id, 'push_events'), 'the second call')
      expectOf(await receiveDelivery(hook, { event: 'push' }), arrives)
    },
  }),

  check('HOOK-TEST-04', {
    title: 'meets test calls for events that it does not know',
    root: 'HOOK-TEST-01',
    async run({ createHook, send, observe, request }) {
      const { id } = await createHook()
      for (const event of ['touchstone_events', 'push'])
        observe(
          `a test call for ${event}: ${(await send(request.test(id, event))).status ?? 'no answer'}`,
        )
    },
  }),

  check('HOOK-TEST-05', {
    title: 'refuses to test a hook that does not exist',
    needs: ['hooks.state'],
    root: 'HOOK-TEST-01',
    async run({ createHook, expectRefusal, request }) {
      const { id } = await createHook()
      // As large a number as JSON can tell exactly: no service has counted so far.
      await expectRefusal(request.test('9007199254740991', 'push_events'), {
        contrast: request.test(id, 'push_events'),
      })
    },
  }),

  check('HOOK-TEST-06', {
    title: 'meets a test call below another project',
    root: 'HOOK-TEST-01',
    async run({ createHook, newName, send, observe, request }) {
      const { id } = await createHook()
      const test = request.test(id, 'push_events')
      const elsewhere = {
        ...test,
        url: test.url.replace(/\/projects\/[^/]+\//, `/projects/${newName()}/`),
      }
      observe(
        `a test call below a project that does not exist: ${(await send(elsewhere)).status ?? 'no answer'}`,
      )
    },
  }),

  check('HOOK-TEST-07', {
    title: 'answers a test call in its own way',
    root: 'HOOK-TEST-01',
    async run({ createHook, testHook, observe }) {
      const answer = await testHook(await createHook())
      observe(
        `a test call: ${answer.status}, ${answer.body.length === 0 ? 'no body' : (answer.header('content-type') ?? 'no media type')}`,
      )
    },
  }),
]
