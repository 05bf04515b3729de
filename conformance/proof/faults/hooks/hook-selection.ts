import { setTimeout as sleep } from 'node:timers/promises'
import { events, type EventName, type Flag } from '../../../../mocks/deliveries/events.ts'
import { defaultRules, type HooksCall, type HooksRules } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onFields, onRequest, replaceRules } from './building.ts'
import { requirementsOf } from './triggers.ts'

const { receivesEvent } = defaultRules

type Hook = Parameters<HooksRules['receivesEvent']>[0]

/** Lets `selects` decide which hooks an event reaches. `hooks` are in the order of creation. */
const selectAmongAll = (
  name: string,
  description: string,
  violates: HooksFault['violates'],
  selects: (
    hook: Hook,
    hooks: readonly Hook[],
    receives: (hook: Hook) => boolean,
    flag: Flag,
  ) => boolean,
): HooksFault =>
  fault(name, description, violates, (hit) => {
    let server: HooksCall['server'] | undefined
    return {
      around: (call, next) => {
        server = call.server
        return next()
      },
      rules: {
        receivesEvent: (hook, flag, project, action) => {
          const receives = (one: Hook) => receivesEvent(one, flag, project, action)
          const isSelected = selects(hook, server?.store.list() ?? [], receives, flag)
          if (isSelected !== receives(hook)) hit()
          return isSelected
        },
      },
    }
  })

/** Delivers one action of an event also to hooks with another flag. */
const leak = (
  name: string,
  description: string,
  event: EventName,
  action: string,
  to: Flag,
): HooksFault =>
  fault(
    name,
    description,
    [requirementsOf[event][1]],
    replaceRules({
      receivesEvent: (hook, given, project, happened) =>
        receivesEvent(hook, given, project, happened) ||
        (given === events[event].flag &&
          happened === action &&
          hook.project === project &&
          hook[to]),
    }),
  )

/**
 * How many milliseconds a receiver has to respond, counted by timers, so that a busy machine allows
 * more time. Slow receivers of the suite take longer.
 */
const responseMs = 20

/** Faults in which an event reaches the wrong hooks, or not every hook that it should reach. */
export const hookSelection: readonly HooksFault[] = [
  leak(
    'deleted-tags-reach-hooks-for-pushes',
    'Delivers the deletion of a tag also to hooks whose push_events is true.',
    'tag_push',
    'delete',
    'push_events',
  ),
  leak(
    'failed-pipelines-reach-hooks-for-jobs',
    'Delivers a failed pipeline also to hooks whose job_events is true.',
    'pipeline',
    'failed',
    'job_events',
  ),
  leak(
    'updated-issues-reach-hooks-for-confidential-ones',
    'Delivers the update of an issue also to hooks whose confidential_issues_events is true.',
    'issue',
    'update',
    'confidential_issues_events',
  ),
  selectAmongAll(
    'one-push-for-each-token',
    'Delivers a push only to the oldest of several hooks that have the same token.',
    ['EVT-PUSH-01'],
    (hook, hooks, receives, flag) =>
      receives(hook) &&
      (flag !== 'push_events' ||
        hook.token === undefined ||
        hooks.find(({ token }) => token === hook.token)?.id === hook.id),
  ),
  selectAmongAll(
    'one-push-for-the-newest-of-one-token',
    'Delivers a push only to the newest of several hooks that have the same token.',
    ['EVT-PUSH-01'],
    (hook, hooks, receives, flag) =>
      receives(hook) &&
      (flag !== 'push_events' ||
        hook.token === undefined ||
        hooks.findLast(({ token }) => token === hook.token)?.id === hook.id),
  ),
  fault(
    'events-are-lost-while-a-receiver-is-busy',
    'Delivers no event to a hook whose receiver has not yet responded to an earlier delivery.',
    ['EVT-PUSH-01'],
    (hit) => {
      const started = new Map<unknown, number>()
      let store: HooksCall['server']['store'] | undefined
      return {
        around: (call, next) => {
          ;({ store } = call.server)
          return next()
        },
        beforeDelivery: async (delivery) => {
          const { id } = delivery.hook
          const isBusy = () => (started.get(id) ?? 0) > (store?.recent(String(id)).length ?? 0)
          for (let passed = 0; passed < responseMs && isBusy(); passed += 1) await sleep(1)
          const isLost = isBusy()
          // The record of recent deliveries contains lost ones, too.
          started.set(id, (started.get(id) ?? 0) + 1)
          if (!isLost) return delivery
          hit()
          return undefined
        },
      }
    },
  ),
  fault(
    'pushes-need-a-flag',
    'Delivers no pushes to a hook whose creation contained no push_events.',
    ['HOOK-CONFIG-07'],
    (hit) => {
      const urls = new Set<unknown>()
      return {
        ...onFields((fields) => {
          if (fields['push_events'] === undefined) urls.add(fields['url'])
          return fields
        })(hit),
        rules: {
          receivesEvent: (hook, flag, project, action) => {
            const receives = receivesEvent(hook, flag, project, action)
            if (!receives || flag !== 'push_events' || !urls.has(hook.url)) return receives
            hit()
            return false
          },
        },
      }
    },
  ),
  fault(
    'false-alone-does-not-turn-pushes-off',
    'Ignores that push_events is false if a creation contains no other flag.',
    ['EVT-PUSH-04'],
    onFields((fields, hit) => {
      const isAlone = Object.keys(fields).every((name) => /^(url|token|push_events)$/.test(name))
      if (fields['push_events'] !== false || !isAlone) return fields
      hit()
      return { ...fields, push_events: true }
    }),
  ),
  fault(
    'tests-turn-pushes-on',
    'Sets push_events of a hook to true after a test call.',
    ['EVT-PUSH-04'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const hook = call.server.store.get(call.params['hook_id'] ?? '')
      if (reply.status >= 300 || hook === undefined || hook.push_events) return reply
      hit()
      hook.push_events = true
      return reply
    }, 'testHook'),
  ),
  selectAmongAll(
    'hooks-with-one-url-share-flags',
    'If several hooks have the same url, uses the flags of the last one for all of them.',
    ['EVT-PUSH-04'],
    (hook, hooks, receives, flag) =>
      receives({ ...hook, [flag]: hooks.findLast(({ url }) => url === hook.url)?.[flag] ?? false }),
  ),
  selectAmongAll(
    'newer-hook-of-another-project-replaces-a-url',
    'Delivers nothing to a hook if a newer hook of another project has the same url.',
    ['EVT-PUSH-04'],
    (hook, hooks, receives) =>
      receives(hook) &&
      !hooks.some(
        ({ url, project, id }) =>
          url === hook.url && project !== hook.project && Number(id) > Number(hook.id),
      ),
  ),
  selectAmongAll(
    'hooks-with-one-url-receive-each-others-events',
    'If a hook receives an event, delivers it to all hooks with the same url, even of other projects.',
    ['EVT-PUSH-04', 'HOOK-SERVICE-01'],
    (hook, hooks, receives) => hooks.some((other) => other.url === hook.url && receives(other)),
  ),
  fault(
    'releases-reach-hooks-of-all-projects',
    'Delivers the releases of a project to the hooks of all projects.',
    ['HOOK-SERVICE-01'],
    replaceRules({
      receivesEvent: (hook, flag, project, action) =>
        flag === 'releases_events' ? hook[flag] : receivesEvent(hook, flag, project, action),
    }),
  ),
  fault(
    'first-event-of-each-hook-is-lost',
    'Does not deliver the first event of the project that a hook should receive.',
    Object.values(requirementsOf).map(([cause]) => cause),
    (hit) => {
      const known = new Set<unknown>()
      return {
        rules: {
          receivesEvent: (hook, flag, project, action) => {
            if (!receivesEvent(hook, flag, project, action)) return false
            const isFirst = !known.has(hook.id)
            if (isFirst) hit()
            known.add(hook.id)
            return !isFirst
          },
        },
      }
    },
  ),
  fault(
    'second-of-two-pushes-is-lost',
    'Does not deliver a push that happens shortly after another one.',
    ['EVT-PUSH-01'],
    (hit) => {
      const times = new Map<unknown, number>()
      return {
        rules: {
          receivesEvent: (hook, flag, project, action) => {
            if (!receivesEvent(hook, flag, project, action) || flag !== 'push_events')
              return receivesEvent(hook, flag, project, action)
            const isSoon = Date.now() - (times.get(hook.id) ?? 0) < 2000
            times.set(hook.id, Date.now())
            if (isSoon) hit()
            return !isSoon
          },
        },
      }
    },
  ),
]
