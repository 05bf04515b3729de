/** The fields of a hook that enable events, in the document's order. */
export const eventFlags = [
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
] as const

export const allFlags = Object.fromEntries(eventFlags.map((flag) => [flag, true]))

export const noFlags = Object.fromEntries(eventFlags.map((flag) => [flag, false]))

/** Returns flags of which only one is false. */
export const allFlagsExcept = (flag: string) => ({ ...allFlags, [flag]: false })

/**
 * Returns flags that enable only one event. The other flags are set to false, because the document
 * does not state their defaults, and one event can cause others.
 */
export const onlyFlag = (flag: string) => ({ ...noFlags, [flag]: true })
