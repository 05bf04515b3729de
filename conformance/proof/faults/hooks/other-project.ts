import type { HooksCall, OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject, onRequest, withHeader } from './building.ts'

type Store = HooksCall['server']['store']
type Hook = ReturnType<Store['list']>[number]

/** Accepts a call in the other project if its token has the right length. */
const compareLengths = (
  where: 'createHook' | 'testHook',
  description: string,
  violates: RequirementId,
): HooksFault =>
  fault(
    `${where === 'createHook' ? 'creations' : 'test-calls'}-elsewhere-compare-lengths-of-tokens`,
    description,
    [violates],
    onRequest((call, next, hit) => {
      const { otherProject, token } = call.server.options
      const sent = call.headers['private-token']
      if (call.params['id'] === otherProject && sent?.length === token.length && sent !== token) {
        hit()
        call.authorize = () => undefined
      }
      return next()
    }, where),
  )

/** Sends the token of another hook, which `choose` selects among all hooks with a token. */
const sendTokenOf = (
  name: string,
  description: string,
  choose: (hooks: readonly Hook[], delivery: OutgoingDelivery, first: string) => Hook | undefined,
): HooksFault =>
  fault(name, description, ['EVT-HEADER-01'], (hit) => {
    let server: HooksCall['server'] | undefined
    return {
      around: (call, next) => {
        server = call.server
        return next()
      },
      beforeDelivery: (delivery) => {
        const hooks = server?.store.list().filter(({ token }) => token !== undefined) ?? []
        const { token } = choose(hooks, delivery, server?.options.project ?? '') ?? delivery.hook
        if (token === undefined || token === delivery.hook.token) return delivery
        hit()
        return withHeader(delivery, 'X-Hook-Token', token)
      },
    }
  })

/** Faults in which the service mixes up two projects. */
export const otherProject: readonly HooksFault[] = [
  compareLengths(
    'createHook',
    'Accepts any token of the right length for a creation in the other project.',
    'HOOK-AUTH-03',
  ),
  compareLengths(
    'testHook',
    'Accepts any token of the right length for a test call in the other project.',
    'HOOK-AUTH-05',
  ),
  sendTokenOf(
    'other-project-gets-the-token-of-the-first-hook',
    'Sends the token of the first hook of the first project in the other project.',
    (hooks, { hook }, first) =>
      hook.project === first ? undefined : hooks.find(({ project }) => project === first),
  ),
  sendTokenOf(
    'newest-token-of-the-other-project-is-sent',
    'Sends the token of the newest hook, if that hook belongs to another project.',
    (hooks, { hook }) => {
      const newest = hooks.at(-1)
      return newest?.project === hook.project ? undefined : newest
    },
  ),
  fault(
    'simultaneous-test-calls-share-a-project',
    'Sends the project of the latest test call, even in the delivery of an earlier call.',
    ['EVT-EVENT-09'],
    (hit) => {
      let latest: Record<string, unknown> | undefined
      return {
        beforeDelivery: async (delivery) => {
          const { project } = delivery.body
          if (!isObject(project)) return delivery
          latest = project
          await new Promise((resolve) => setImmediate(resolve))
          if (latest['id'] === project['id']) return delivery
          hit()
          return { ...delivery, body: { ...delivery.body, project: latest } }
        },
      }
    },
  ),
]
