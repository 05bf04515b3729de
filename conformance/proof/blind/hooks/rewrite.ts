import { flagNames, type Flag, type Moment, type Obj, type Rewrite } from './types.ts'

export const PUSH: Flag[] = ['push_events']
export const TAG: Flag[] = ['tag_push_events']
export const ISSUE: Flag[] = ['issues_events', 'confidential_issues_events']
export const MR: Flag[] = ['merge_requests_events']
export const PIPE: Flag[] = ['pipeline_events']
export const JOB: Flag[] = ['job_events']
export const DEP: Flag[] = ['deployment_events']
export const WIKI: Flag[] = ['wiki_page_events']
export const REL: Flag[] = ['releases_events']
export const ALL: readonly Flag[] = flagNames
export const TICKET: Flag[] = [...ISSUE, ...MR]

type Change = (p: Obj, m: Moment) => void

export function wrong(
  name: string,
  flags: readonly Flag[],
  where: string,
  does: string,
  change: Change,
): Rewrite {
  return { name, kind: 'violation', flags, where, does, change }
}

export function other(
  name: string,
  flags: readonly Flag[],
  where: string,
  does: string,
  change: Change,
): Rewrite {
  return { name, kind: 'choice', flags, where, does, change }
}

/** Turns the service's own form of times into ISO 8601. */
export const iso = (s: string | null) => (s === null ? s : s.replace(' UTC', 'Z').replace(' ', 'T'))

export const shift = (s: string, seconds: number) =>
  new Date(Date.parse(iso(s)!) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ') +
  ' UTC'

/** Changes every value in a document, deepest first. */
export function walk(value: any, visit: (v: any, key: string) => any, key = ''): any {
  if (Array.isArray(value))
    value.forEach((v, i) => {
      value[i] = walk(v, visit, key)
    })
  else if (value && typeof value === 'object') {
    for (const k of Object.keys(value)) value[k] = walk(value[k], visit, k)
  }
  return visit(value, key)
}

export function rename(o: Obj, from: string, to: string): void {
  o[to] = o[from]
  delete o[from]
}
