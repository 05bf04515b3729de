export interface Switch {
  name: string
  kind: 'choice' | 'violation'
  where: string
  does: string
}

// eslint-style escape hatch: payloads are free-form JSON documents.
export type Obj = { [key: string]: any }

export const flagNames = [
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

export type Flag = (typeof flagNames)[number]

export interface Hook {
  id: number | string
  project: number
  url: string
  token: string | null
  flags: Record<Flag, boolean>
  ssl: boolean
  createdAt: number
  delivered: number
  tested: boolean
  /** push_events was given when the hook was made */
  saidPush: boolean
}

export interface Moment {
  flag: Flag
  action: string
  test: boolean
  /** Counts the events of this server, from 1. */
  n: number
  other: Obj
}

/** A switch that only rewrites the payload of some events. */
export interface Rewrite extends Switch {
  flags: readonly Flag[]
  change: (p: Obj, m: Moment) => void
}

export interface Connection {
  baseUrl: string
  project: number
  secondProject: number
  token: string
  triggerUrl: string
}
