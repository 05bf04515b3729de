import { flags } from '../../../generated/events/names.ts'
import { isOnLoopback } from '../../target-file/needs.ts'
import {
  id,
  root,
  secret,
  section,
  toggle,
  words,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'

/** Flags of the hook configuration whose events a test call may trigger. */
const triggers = [...Object.values(flags), 'confidential_issues_events'] as const

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
      description: 'token that may configure hooks',
      example: '${HOOKS_TOKEN}',
      variable: 'HOOKS_TOKEN',
      required: true,
    }),
    triggers: words(triggers, {
      description: `flags of the events that a test call can trigger: ${triggers.join(', ')}`,
      example: '[push_events, issues_events]',
      default: ['push_events'],
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
    // A target on the loopback interface can reach the suite's receivers.
    ignores: ({ url }, path) =>
      (path === 'suite.receiver' || path === 'suite.receiver.tlsUrl') && isOnLoopback(url),
  },
)

/** A service that has hooks, and sends deliveries. */
export type HooksTarget = SectionOf<typeof hooksSection>

/** Keys of the target file that its checks can need. */
export type HooksNeed = PathOf<typeof hooksSection> | SuitePath
