import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fails, fault, onMessage } from './building.ts'

/** The row by which a test call brings about each event. */
const rows: Readonly<Record<EventName, RequirementId>> = {
  push: 'EVT-PUSH-02',
  tag_push: 'EVT-TAGPUSH-02',
  issue: 'EVT-ISSUE-02',
  merge_request: 'EVT-MERGEREQUEST-02',
  pipeline: 'EVT-PIPELINE-02',
  job: 'EVT-JOB-02',
  deployment: 'EVT-DEPLOYMENT-02',
  wiki_page: 'EVT-WIKIPAGE-02',
  release: 'EVT-RELEASE-02',
}
const all = Object.values(rows)

const nothing = () => undefined
const hasToken = ({ hook }: OutgoingDelivery) => hook.token !== undefined
const counted = new WeakMap<object, number>()
/** Whether this is a later delivery of its hook than the first. */
function isLater({ hook }: OutgoingDelivery): boolean {
  const before = counted.get(hook) ?? 0
  counted.set(hook, before + 1)
  return before > 0
}

/** Test calls that succeed, or should, and what does not come of them. */
export const arrival: readonly HooksFault[] = [
  fault(
    'nothing-is-delivered',
    'A test call succeeds, and nothing is sent.',
    ['HOOK-TEST-02', ...all],
    onMessage(nothing),
  ),
  fault(
    'everything-goes-to-the-root',
    "Deliveries go to the root of the url's host, whatever its path is.",
    ['HOOK-TEST-02', 'EVT-DELIVERY-02'],
    onMessage((delivery) => ({ ...delivery, url: new URL('/', delivery.url).href })),
  ),
  fault(
    'everything-goes-to-the-first-hook',
    'Deliveries go to the url of the first hook that was made.',
    ['HOOK-TEST-02', 'EVT-DELIVERY-02'],
    (hit) => {
      let first: string | undefined
      return {
        around: async (call, next) => {
          const reply = await next()
          first ??= call.server.store.list()[0]?.url
          return reply
        },
        beforeDelivery: (delivery) => {
          if (first !== undefined && delivery.url !== first) hit()
          return { ...delivery, url: first ?? delivery.url }
        },
      }
    },
  ),
  fault(
    'hook-delivers-once',
    'A hook delivers at its first test call, and never again.',
    ['HOOK-TEST-03'],
    onMessage(nothing, isLater),
  ),

  fault(
    'token-keeps-deliveries-back',
    'Nothing is sent to a hook that has a token.',
    all,
    onMessage(nothing, hasToken),
  ),
  fault(
    'hook-with-a-token-cannot-be-tested',
    'A test call of a hook that has a token is refused.',
    all,
    fails(
      'testHook',
      400,
      ({ server, params }) => server.store.get(params['hook_id'] ?? '')?.token !== undefined,
    ),
  ),
  fault(
    'long-token-keeps-deliveries-back',
    'Nothing is sent to a hook whose token has more than eight characters.',
    all,
    onMessage(nothing, ({ hook }) => (hook.token?.length ?? 0) > 8),
  ),

  ...eventNames
    .filter((event) => event !== 'push')
    .flatMap((event) => {
      const called = event.replace('_', '-')
      const { flag } = events[event]
      return [
        fault(
          `${called}-is-not-delivered`,
          `A test call for ${flag} succeeds, and nothing is sent.`,
          [rows[event]],
          onMessage(nothing, (delivery) => delivery.event === event),
        ),
        fault(
          `${called}-cannot-be-tested`,
          `A test call for ${flag} is refused, though the service is said to take it.`,
          [rows[event]],
          fails('testHook', 404, ({ params }) => params['event'] === flag),
        ),
      ]
    }),
]
