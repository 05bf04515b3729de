import { arrives } from '../support/expectations.ts'
import { check, deliveryCheck } from '../support/define.ts'

export const testing = [
  check('HOOK-TEST-01', {
    title: 'carries out a test call',
    async run({ hook, expectSuccess, request }) {
      await expectSuccess(request.test((await hook()).id, 'push_events'))
    },
  }),

  deliveryCheck('HOOK-TEST-02', {
    title: 'delivers where a test call succeeds',
    async run({ hook, test, arrival, expectOf }) {
      const made = await hook({ push_events: true })
      await test(made)
      expectOf(await arrival(made, { event: 'push' }), arrives)
    },
  }),

  deliveryCheck('HOOK-TEST-03', {
    title: 'carries out a test call again',
    root: 'HOOK-TEST-02',
    async run({ hook, test, expectSuccess, arrival, expectOf, request }) {
      const made = await hook({ push_events: true })
      await test(made)
      await arrival(made, { event: 'push' })
      await expectSuccess(request.test(made.id, 'push_events'), 'the second call')
      expectOf(await arrival(made, { event: 'push' }), arrives)
    },
  }),

  check('HOOK-TEST-04', {
    title: 'meets test calls for events that it does not know',
    root: 'HOOK-TEST-01',
    async run({ hook, send, observe, request }) {
      const { id } = await hook()
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
    async run({ hook, refuses, request }) {
      const { id } = await hook()
      // As large a number as JSON can tell exactly: no service has counted so far.
      await refuses(request.test('9007199254740991', 'push_events'), {
        contrast: request.test(id, 'push_events'),
      })
    },
  }),

  check('HOOK-TEST-06', {
    title: 'meets a test call below another project',
    root: 'HOOK-TEST-01',
    async run({ hook, name, send, observe, request }) {
      const { id } = await hook()
      const test = request.test(id, 'push_events')
      const elsewhere = {
        ...test,
        url: test.url.replace(/\/projects\/[^/]+\//, `/projects/${name()}/`),
      }
      observe(
        `a test call below a project that does not exist: ${(await send(elsewhere)).status ?? 'no answer'}`,
      )
    },
  }),

  check('HOOK-TEST-07', {
    title: 'answers a test call in its own way',
    root: 'HOOK-TEST-01',
    async run({ hook, test, observe }) {
      const answer = await test(await hook())
      observe(
        `a test call: ${answer.status}, ${answer.body.length === 0 ? 'no body' : (answer.header('content-type') ?? 'no media type')}`,
      )
    },
  }),
]
