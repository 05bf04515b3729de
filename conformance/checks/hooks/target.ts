import { flags } from '../../../generated/events/names.ts'
import { isOnLoopback } from '../../target-file/needs.ts'
import {
  group,
  id,
  root,
  secret,
  section,
  text,
  texts,
  toggle,
  url,
  words,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'
import { knownActions } from './support/actions.ts'

/** The fields of a hook for whose events the target file can allow test calls. */
const eventFlags = Object.values(flags)
const testEvents = [...eventFlags, 'confidential_issues_events'] as const

/** The keys of a program that triggers an event in the project. */
const program = (event: string, { command, args }: Readonly<Record<'command' | 'args', string>>) =>
  group(
    {
      command: text({
        description: `program that causes ${event} in the project, and then exits with 0`,
        example: command,
        required: true,
      }),
      args: texts({
        description:
          'arguments of that program; {action} is replaced by an action of hooks.trigger.actions',
        example: args,
      }),
    },
    { presenceKey: 'command', instead: 'url' },
  )

/** The section of the target file for a service that has hooks. */
export const hooksSection = section(
  'hooks',
  {
    url: root({
      description: 'base URL of the hook API, including its version segment, such as /api/v4',
      example: 'http://127.0.0.1:4020/api/v4',
      required: true,
    }),
    project: id({
      description: 'project in which the suite may create hooks',
      example: '42',
      required: true,
    }),
    token: secret({
      description: 'token that is allowed to configure hooks',
      example: '${HOOKS_TOKEN}',
      variable: 'HOOKS_TOKEN',
      required: true,
    }),
    testEvents: words(testEvents, {
      description: `events that the test operation of the API can trigger, each given as the field that enables it in a hook: ${testEvents.join(', ')}`,
      formerName: 'triggers',
      example: '[push_events, issues_events]',
      default: ['push_events'],
    }),
    trigger: group({
      url: url({
        description:
          'URL of a test endpoint of your service that causes events in the project: for POST {"event": "push_events"} it causes a push, and likewise for the other event fields of a hook',
        example: 'http://127.0.0.1:4020/_touchstone/events',
      }),
      events: words(eventFlags, {
        description:
          'events that hooks.trigger.url can cause; other events need their program; a run waits for the delivery of each event',
        example: '[push_events, tag_push_events]',
        fallback: 'all events',
        with: 'url',
      }),
      actions: words(knownActions, {
        description:
          'actions and statuses that your endpoint or your programs in hooks.trigger can cause, such as close (issue), failed (pipeline) or delete (a branch); the endpoint receives {"event": "issues_events", "action": "close"}',
        example: '[open, update, close, merge, success, failed]',
      }),
      push_events: program('a push', {
        command: 'git',
        args: '[-C, /srv/demo, push, origin, HEAD]',
      }),
      tag_push_events: program('a push of a tag', {
        command: 'git',
        args: '[-C, /srv/demo, push, --tags]',
      }),
      issues_events: program('an issue event', {
        command: 'node',
        args: '[cause-event.js, issues_events, "{action}"]',
      }),
      merge_requests_events: program('a merge request event', {
        command: 'node',
        args: '[cause-event.js, merge_requests_events]',
      }),
      pipeline_events: program('a pipeline event', {
        command: 'node',
        args: '[cause-event.js, pipeline_events]',
      }),
      job_events: program('a job event', { command: 'node', args: '[cause-event.js, job_events]' }),
      deployment_events: program('a deployment event', {
        command: 'node',
        args: '[cause-event.js, deployment_events]',
      }),
      wiki_page_events: program('a wiki page event', {
        command: 'node',
        args: '[cause-event.js, wiki_page_events]',
      }),
      releases_events: program('a release event', {
        command: 'node',
        args: '[cause-event.js, releases_events]',
      }),
    }),
    otherProject: id({
      description: 'another project in which the suite may create hooks',
      example: '43',
    }),
    state: toggle({
      description:
        'whether the service stores hooks and sends deliveries; false for a stateless mock',
      example: 'true',
      default: true,
    }),
  },
  {
    identifyingKeys: ['url'],
    label: ({ url, project }) => `the hook API at ${url}, project ${project}`,
    ignores: (target, path) =>
      eventFlags.some((flag) => path === `hooks.trigger.${flag}`)
        ? hasEndpointFor(target, path.split('.').at(-1) as TriggeredFlag)
        : // A target on the loopback interface can reach the suite's receivers.
          (path === 'suite.receiver' || path === 'suite.receiver.tlsUrl') &&
          isOnLoopback(target.url),
  },
)

/** A service that has hooks, and sends deliveries. */
export type HooksTarget = SectionOf<typeof hooksSection>

/** A program that triggers an event. */
export type EventProgram = NonNullable<NonNullable<HooksTarget['trigger']>['push_events']>
/** The flags of events that an endpoint or a program of the target file can trigger. */
export type TriggeredFlag = (typeof eventFlags)[number]

interface WithEndpoint {
  readonly trigger?:
    { url?: string | undefined; events?: readonly string[] | undefined } | undefined
}

/** Whether the endpoint of the target file causes the event of a flag, in place of a program. */
export const hasEndpointFor = ({ trigger }: WithEndpoint, flag: TriggeredFlag): boolean =>
  trigger?.url !== undefined && (trigger.events?.includes(flag) ?? true)

/** Whether the target file has an endpoint or a program that causes the event of a flag. */
export const canTrigger = (target: Pick<HooksTarget, 'trigger'>, flag: TriggeredFlag): boolean =>
  hasEndpointFor(target, flag) || target.trigger?.[flag] !== undefined

/** Keys of the target file that checks of hooks can need. */
export type HooksNeed = PathOf<typeof hooksSection> | SuitePath
