import { eventNames, events, flags, type EventName } from '../../../../mocks/deliveries/events.ts'
import { defaultRules } from '../../../../mocks/stateful/hooks.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HooksFault } from './fault.ts'
import { fault, onRequest, replaceRules } from './building.ts'

/**
 * For each event, two requirements: that an event in the project causes a delivery, and that only
 * hooks with the flag of the event receive it.
 */
export const requirementsOf: Readonly<Record<EventName, readonly [RequirementId, RequirementId]>> =
  {
    push: ['EVT-PUSH-01', 'EVT-PUSH-04'],
    tag_push: ['EVT-TAGPUSH-01', 'EVT-TAGPUSH-04'],
    issue: ['EVT-ISSUE-01', 'EVT-ISSUE-04'],
    merge_request: ['EVT-MERGEREQUEST-01', 'EVT-MERGEREQUEST-04'],
    pipeline: ['EVT-PIPELINE-01', 'EVT-PIPELINE-04'],
    job: ['EVT-JOB-01', 'EVT-JOB-04'],
    deployment: ['EVT-DEPLOYMENT-01', 'EVT-DEPLOYMENT-04'],
    wiki_page: ['EVT-WIKIPAGE-01', 'EVT-WIKIPAGE-04'],
    release: ['EVT-RELEASE-01', 'EVT-RELEASE-04'],
  }

const { receivesEvent } = defaultRules

/** Faults in the deliveries that an event in the project causes. */
export const triggers: readonly HooksFault[] = [
  ...eventNames.flatMap((event) => {
    const { flag } = events[event]
    const [cause, flagged] = requirementsOf[event]
    const another = flag === 'job_events' ? 'pipeline_events' : 'job_events'
    return [
      fault(
        `${flag}-of-the-project-are-not-delivered`,
        `Delivers events of ${flag} only after test calls.`,
        [cause],
        replaceRules({
          receivesEvent: (hook, given, project) =>
            given !== flag && receivesEvent(hook, given, project),
        }),
      ),
      fault(
        `${flag}-follow-another-flag`,
        `Delivers events of ${flag} in the project to the hooks whose ${another} is true.`,
        [cause, flagged],
        replaceRules({
          receivesEvent: (hook, given, project) =>
            receivesEvent(hook, given === flag ? another : given, project),
        }),
      ),
      fault(
        `${flag}-reach-hooks-without-the-flag`,
        `Delivers events of ${flag} in the project to all hooks of the project.`,
        [flagged],
        replaceRules({
          receivesEvent: (hook, given, project) =>
            given === flag ? hook.project === project : receivesEvent(hook, given, project),
        }),
      ),
      fault(
        `${flag}-reach-hooks-with-any-flag`,
        `Delivers events of ${flag} in the project also to hooks with push_events or issues_events.`,
        [flagged],
        replaceRules({
          receivesEvent: (hook, given, project) =>
            receivesEvent(hook, given, project) ||
            (given === flag &&
              hook.project === project &&
              (hook.push_events || hook.issues_events)),
        }),
      ),
    ]
  }),
  fault(
    'only-the-first-flag-counts',
    'Delivers to a hook only the events of its first flag that is true.',
    Object.values(requirementsOf)
      .map(([cause]) => cause)
      .filter((cause) => cause !== 'EVT-PUSH-01'),
    replaceRules({
      receivesEvent: (hook, given, project) =>
        receivesEvent(hook, given, project) && flags.find((flag) => hook[flag]) === given,
    }),
  ),
  fault(
    'only-the-last-flag-counts',
    'Delivers to a hook only the events of its last flag that is true.',
    Object.values(requirementsOf).map(([cause]) => cause),
    replaceRules({
      receivesEvent: (hook, given, project) =>
        receivesEvent(hook, given, project) && flags.findLast((flag) => hook[flag]) === given,
    }),
  ),
  fault(
    'tested-hooks-receive-no-events',
    'Delivers no events of the project to a hook that was tested.',
    ['EVT-PUSH-01'],
    (hit) => {
      const tested = new Set<string>()
      return {
        around: async (call, next) => {
          if (call.operation === 'testHook') tested.add(call.params['hook_id'] ?? '')
          return next()
        },
        rules: {
          receivesEvent: (hook, given, project) => {
            if (!tested.has(String(hook.id))) return receivesEvent(hook, given, project)
            hit()
            return false
          },
        },
      }
    },
  ),
  fault(
    'hooks-are-forgotten-after-four-events',
    'Delivers only four events of the project to a hook.',
    Object.values(requirementsOf).map(([cause]) => cause),
    (hit) => {
      const counts = new Map<unknown, number>()
      return {
        rules: {
          receivesEvent: (hook, given, project) => {
            if (!receivesEvent(hook, given, project)) return false
            const count = (counts.get(hook.id) ?? 0) + 1
            counts.set(hook.id, count)
            if (count > 4) hit()
            return count <= 4
          },
        },
      }
    },
  ),
  fault(
    'events-reach-hooks-of-all-projects',
    'Delivers an event of one project to the hooks of all projects.',
    ['HOOK-SERVICE-01'],
    replaceRules({ receivesEvent: (hook, flag) => hook[flag] }),
  ),
  fault(
    'hooks-belong-to-the-first-project',
    'Adds every hook to the first project, even if its creation names the other project.',
    ['HOOK-SERVICE-01'],
    onRequest((call, next, hit) => {
      const { project, otherProject } = call.server.options
      if (call.params['id'] !== otherProject) return next()
      hit()
      call.params['id'] = project
      return next()
    }, 'createHook'),
  ),
]
