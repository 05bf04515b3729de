import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { failWith, fault, onMessage } from './building.ts'

/** For each event, the requirement that a test call causes a delivery. */
const requirementsByEvent: Readonly<Record<EventName, RequirementId>> = {
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
const requirementsOfEvents = Object.values(requirementsByEvent)

const drop = () => undefined
const hasToken = ({ hook }: OutgoingDelivery) => hook.token !== undefined
const deliveryCounts = new WeakMap<object, number>()
/** Counts a delivery, and returns whether its hook had a delivery before. */
function isLater({ hook }: OutgoingDelivery): boolean {
  const before = deliveryCounts.get(hook) ?? 0
  deliveryCounts.set(hook, before + 1)
  return before > 0
}

/** Faults in which a test call causes no delivery, or one at the wrong URL. */
export const arrival: readonly HooksFault[] = [
  fault(
    'nothing-is-delivered',
    'Returns a success for a test call and sends nothing.',
    ['HOOK-TEST-02', ...requirementsOfEvents],
    onMessage(drop),
  ),
  fault(
    'everything-goes-to-the-root',
    "Delivers to the root of the url's host, and ignores the path of the url.",
    ['HOOK-TEST-02', 'EVT-DELIVERY-02'],
    onMessage((delivery) => ({ ...delivery, url: new URL('/', delivery.url).href })),
  ),
  fault(
    'everything-goes-to-the-first-hook',
    'Delivers to the url of the first hook that was created.',
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
    'other-projects-are-silent',
    'Sends no deliveries to the hooks of the second project.',
    ['HOOK-TEST-09'],
    (hit) => {
      let isOther: (id: string) => boolean = () => false
      return {
        around: (call, next) => {
          const { store, options } = call.server
          isOther = (url) =>
            store.list().some((hook) => hook.url === url && hook.project === options.otherProject)
          return next()
        },
        beforeDelivery: (delivery) => {
          if (!isOther(delivery.url)) return delivery
          hit()
          return undefined
        },
      }
    },
  ),
  fault(
    'other-projects-deliver-to-the-first',
    'Sends the deliveries of test calls in the second project to the newest hook of the first.',
    ['HOOK-TEST-09', 'HOOK-TEST-08', 'HOOK-SERVICE-01'],
    (hit) => {
      let redirect: (url: string) => string = (url) => url
      return {
        around: (call, next) => {
          const { store, options } = call.server
          redirect = (url) => {
            const hooks = store.list()
            const isOther = hooks.some(
              (hook) => hook.url === url && hook.project === options.otherProject,
            )
            const first = hooks.filter((hook) => hook.project === options.project).at(-1)
            return isOther && first !== undefined ? first.url : url
          }
          return next()
        },
        beforeDelivery: (delivery) => {
          const url = redirect(delivery.url)
          if (url !== delivery.url) hit()
          return { ...delivery, url }
        },
      }
    },
  ),
  fault(
    'hook-delivers-once',
    'Sends a delivery only for the first test call of a hook.',
    ['HOOK-TEST-03'],
    onMessage(drop, isLater),
  ),

  fault(
    'token-keeps-deliveries-back',
    'Sends nothing to a hook with a token.',
    requirementsOfEvents,
    onMessage(drop, hasToken),
  ),
  fault(
    'hook-with-a-token-cannot-be-tested',
    'Refuses a test call of a hook with a token.',
    requirementsOfEvents,
    failWith(
      'testHook',
      400,
      ({ server, params }) => server.store.get(params['hook_id'] ?? '')?.token !== undefined,
    ),
  ),
  fault(
    'long-token-keeps-deliveries-back',
    'Sends nothing to a hook with a token of more than eight characters.',
    requirementsOfEvents,
    onMessage(drop, ({ hook }) => (hook.token?.length ?? 0) > 8),
  ),

  ...eventNames
    .filter((event) => event !== 'push')
    .flatMap((event) => {
      const flagName = event.replace('_', '-')
      const { flag } = events[event]
      return [
        fault(
          `${flagName}-is-not-delivered`,
          `Returns a success for a test call of ${flag} and sends nothing.`,
          [requirementsByEvent[event]],
          onMessage(drop, (delivery) => delivery.event === event),
        ),
        fault(
          `${flagName}-cannot-be-tested`,
          `Refuses a test call of ${flag}, although the target file names it as a trigger.`,
          [requirementsByEvent[event]],
          failWith('testHook', 404, ({ params }) => params['event'] === flag),
        ),
      ]
    }),
]
