export type EventName =
  | 'push'
  | 'tag_push'
  | 'issue'
  | 'merge_request'
  | 'pipeline'
  | 'job'
  | 'deployment'
  | 'wiki_page'
  | 'release'

/** Fields of a hook that enable the deliveries of an event. */
export type Flag =
  | 'push_events'
  | 'tag_push_events'
  | 'issues_events'
  | 'confidential_issues_events'
  | 'merge_requests_events'
  | 'wiki_page_events'
  | 'deployment_events'
  | 'job_events'
  | 'pipeline_events'
  | 'releases_events'

export interface EventKind {
  /** The value of X-Hook-Event. */
  readonly header: string
  readonly objectKind: string
  readonly flag: Flag
}

/**
 * Every event of the hook contract. Written by hand, because a mock must not use the schemas with
 * which the suite checks it.
 */
export const events: Readonly<Record<EventName, EventKind>> = {
  push: { header: 'Push Hook', objectKind: 'push', flag: 'push_events' },
  tag_push: { header: 'Tag Push Hook', objectKind: 'tag_push', flag: 'tag_push_events' },
  issue: { header: 'Issue Hook', objectKind: 'issue', flag: 'issues_events' },
  merge_request: {
    header: 'Merge Request Hook',
    objectKind: 'merge_request',
    flag: 'merge_requests_events',
  },
  pipeline: { header: 'Pipeline Hook', objectKind: 'pipeline', flag: 'pipeline_events' },
  job: { header: 'Job Hook', objectKind: 'build', flag: 'job_events' },
  deployment: { header: 'Deployment Hook', objectKind: 'deployment', flag: 'deployment_events' },
  wiki_page: { header: 'Wiki Page Hook', objectKind: 'wiki_page', flag: 'wiki_page_events' },
  release: { header: 'Release Hook', objectKind: 'release', flag: 'releases_events' },
}

export const eventNames = Object.keys(events) as readonly EventName[]

/** The flags in the order of the hook contract. */
export const flags: readonly Flag[] = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'wiki_page_events',
  'deployment_events',
  'job_events',
  'pipeline_events',
  'releases_events',
]

/**
 * The event whose deliveries a flag enables; undefined for names that are not flags. Confidential
 * issues are sent as issue events.
 */
export function eventOf(flag: string): EventName | undefined {
  return flag === 'confidential_issues_events'
    ? 'issue'
    : eventNames.find((name) => events[name].flag === flag)
}
