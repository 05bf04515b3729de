import { flags } from '../../../generated/events/names.ts'
import { onLoopback } from '../../target-file/needs.ts'
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

/** Flags of the hook configuration whose events a test call may be able to bring about. */
const triggers = [...Object.values(flags), 'confidential_issues_events'] as const

/** What a target file tells of a service that has hooks. */
export const hooksSection = section(
  'hooks',
  {
    url: root({
      says: 'root of the hook API, with its version segment',
      example: 'http://127.0.0.1:4020/api/v4',
      required: true,
    }),
    project: id({
      says: 'the project whose hooks the suite may add to',
      example: '42',
      required: true,
    }),
    token: secret({
      says: 'a token that may configure hooks',
      example: '${HOOKS_TOKEN}',
      variable: 'HOOKS_TOKEN',
      required: true,
    }),
    triggers: words(triggers, {
      says: 'the events that a test call can bring about',
      example: '[push_events, issues_events]',
      default: ['push_events'],
    }),
    state: toggle({
      says: 'false for a mock that delivers nothing',
      example: 'true',
      default: true,
    }),
  },
  {
    places: ['url'],
    label: ({ url, project }) => `hooks at ${url}, project ${project}`,
    // It can reach the receivers of the suite where they are.
    spares: ({ url }, path) =>
      (path === 'suite.receiver' || path === 'suite.receiver.tlsUrl') && onLoopback(url),
  },
)

/** A service in which hooks are configured, and which sends deliveries. */
export type HooksTarget = SectionOf<typeof hooksSection>

/** What its checks can need of a target file. */
export type HooksNeed = PathOf<typeof hooksSection> | SuitePath
