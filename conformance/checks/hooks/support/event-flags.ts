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
