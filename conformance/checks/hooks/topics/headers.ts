import { flags } from '../../../../generated/events/names.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames } from '../../../../generated/events/names.ts'
import { Blocked, isObject, labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import { Delivery } from '../../../wire/index.ts'
import { deliveryCheck, watch } from '../support/define.ts'
import { expectedOf, isSuccess } from '../support/expectations.ts'
import { deliveryNeeds, examineEach, deliverySources } from '../support/each-delivery.ts'
import {
  awaitUnwanted,
  requireDelivery,
  sharedHookOfAllEvents,
  triggerOnce,
} from '../support/project-events.ts'
import { deliveryRoots } from '../support/roots.ts'
import { eventOfKind, hasProductVersion, isConfidentialIssue } from '../support/rules.ts'
import { canTrigger } from '../target.ts'

const eventHeaders = new Set(eventNames.map((event) => events[event].header))

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

  deliveryCheck('EVT-HEADER-03', {
    title: 'names the event of the payload, even if a hook receives different events',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const triggered = await Promise.all(
        eventNames
          .filter((event) => event === 'push' || canTrigger(world.target, flags[event]))
          .map((event) => triggerOnce(world, event)),
      )
      requireDelivery(world, triggered[0]!, 'EVT-PUSH-01')
      await awaitUnwanted(world, ...triggered)
      const { mailbox } = await sharedHookOfAllEvents(world)
      const named = mailbox.deliveries.flatMap((delivery) => {
        const { json } = delivery
        const event = isObject(json) ? eventOfKind(json['object_kind']) : undefined
        const header = delivery.header('x-hook-event') ?? ''
        // The header of a confidential issue is open, and so are those of further events.
        return event === undefined || !eventHeaders.has(header) || isConfidentialIssue(json)
          ? []
          : [{ event, header }]
      })
      if (new Set(named.map(({ event }) => event)).size < 2)
        throw new NotCovered('the hook with all flags did not receive two different events')
      const wrong = named.filter(({ event, header }) => header !== event.header)
      world.expectValue(wrong, {
        name: 'each has the event of its payload',
        expected: 'an X-Hook-Event that belongs to the object_kind of the payload',
        test: ({ length }) => length === 0,
        received: ([first]) =>
          `X-Hook-Event: ${first!.header} with the object_kind ${first!.event.kind}`,
      })
    },
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
