import { flags } from '../../../../generated/events/names.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames } from '../../../../generated/events/names.ts'
import { Blocked, labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import { Delivery } from '../../../wire/index.ts'
import { deliveryCheck, watch } from '../support/define.ts'
import { expectedOf, isSuccess } from '../support/expectations.ts'
import { deliveryNeeds, examineEach, deliverySources } from '../support/each-delivery.ts'
import { deliveryRoots } from '../support/roots.ts'
import { hasProductVersion } from '../support/rules.ts'

export const headersChecks = [
  watch('EVT-HEADER-01', {
    title: 'sends the token of the hook',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has the token',
      'exactly one X-Hook-Token, with the token of the hook',
      (delivery) => {
        const { token } = expectedOf(delivery)!.hook
        // The document does not say what an empty token means.
        if (token === undefined || token === '') return undefined
        const sent = delivery.headersOf('x-hook-token')
        return sent.length === 1 && sent[0] === token
      },
      (delivery) => {
        const sent = delivery.headersOf('x-hook-token')
        const found =
          sent.length === 0 ? 'no X-Hook-Token' : sent.map((token) => `"${token}"`).join(', ')
        return `${found}; the token of the hook is "${expectedOf(delivery)!.hook.token}"`
      },
    ),
  }),

  deliveryCheck('EVT-HEADER-02', {
    title: 'sends no token if the hook has none',
    root: 'HOOK-TEST-02',
    async run({ createHook, send, request, testHook, receiveDelivery, expectValue, inTime }) {
      const hook = await createHook({ push_events: true })
      // A service may refuse null. Otherwise, the hook has no token, or an empty one.
      const hookOfNull = request.format.isForm
        ? undefined
        : await createHook({ push_events: true, token: null }).catch((error: unknown) => {
            if (error instanceof Blocked || error instanceof NotCovered) return undefined
            throw error
          })
      await testHook(hook)
      const delivery = await receiveDelivery(hook, { event: 'push' })
      if (delivery === undefined)
        throw new NotCovered(
          `nothing was delivered ${inTime} after a test call of a hook without a token, so the headers of its deliveries are unknown`,
        )
      const absent: Expectation<Delivery> = {
        name: 'has no token',
        expected: 'no X-Hook-Token',
        test: (sent) => sent.headersOf('x-hook-token').length === 0,
        received: (sent) => `X-Hook-Token: "${sent.header('x-hook-token')}"`,
      }
      expectValue(delivery, labelled('a hook without a token', absent))
      if (
        hookOfNull === undefined ||
        !isSuccess(await send(request.test(hookOfNull.id, flags.push)))
      )
        return
      const deliveryOfNull = await receiveDelivery(hookOfNull, { event: 'push' })
      if (deliveryOfNull !== undefined)
        expectValue(deliveryOfNull, {
          ...absent,
          name: 'a hook with the token null: has no token',
          expected: 'no X-Hook-Token, or an empty one',
          test: (sent) => sent.headersOf('x-hook-token').every((token) => token === ''),
        })
    },
  }),

  watch('EVT-HEADER-03', {
    title: 'names the event in the X-Hook-Event header',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has the event',
      'a non-empty X-Hook-Event',
      (delivery) => (delivery.header('x-hook-event') ?? '') !== '',
      () => 'no X-Hook-Event, or an empty one',
    ),
  }),

  watch('EVT-HEADER-04', {
    title: 'names its product and version in the User-Agent header',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has product and version',
      'User-Agent: <product>/<version>',
      (delivery) => hasProductVersion(delivery.header('user-agent') ?? ''),
      (delivery) => delivery.header('user-agent') ?? 'no User-Agent',
    ),
  }),

  ...eventNames.map((event) => {
    const { header, requirement, title } = events[event]
    return watch(requirement, {
      title: `sends X-Hook-Event: ${header} with ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} event`,
      needs: [...deliveryNeeds, `hooks.testEvents.${flags[event]}`],
      sources: [deliveryRoots[event]],
      examine: (message) => {
        // EVT-HEADER-03 covers a missing header.
        if (
          !(message instanceof Delivery) ||
          expectedOf(message)?.event !== event ||
          expectedOf(message)?.isConfidential === true ||
          message.header('x-hook-event') === undefined
        )
          return []
        const received = message.headersOf('x-hook-event').join(', ')
        return [
          {
            name: 'has the value of the event',
            held: received === header,
            expected: `X-Hook-Event: ${header}`,
            received: `X-Hook-Event: ${received}`,
          },
        ]
      },
    })
  }),
]
