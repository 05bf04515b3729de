import { violationUnless, valueAt, type PayloadRule } from './rule.ts'

interface Timestamp extends Pick<PayloadRule, 'requirement' | 'event' | 'title'> {
  /** Where the moment stands, and where the status. */
  path: string
  status: string
  /** In which of them the moment has come. */
  states: readonly string[]
}

/** A moment may be null or absent only until it has come, and some states tell that it has. What failed or was canceled may never have begun. */
function timestampRule({ path, status, states, ...named }: Timestamp): PayloadRule {
  const name = path.split('/').at(-1)!
  return {
    ...named,
    name: `has ${name}`,
    expected: `${name}, since the status is ${states.join(' or ')}`,
    applies: (payload) => states.includes(valueAt(payload, status) as string),
    findViolations: (payload) =>
      violationUnless(path, (valueAt(payload, path) ?? null) !== null, valueAt(payload, path)),
  }
}

export const timestampRules: readonly PayloadRule[] = [
  timestampRule({
    requirement: 'EVT-PIPELINE-17',
    event: 'pipeline',
    title: 'tells when a pipeline that has succeeded ended',
    path: '/object_attributes/finished_at',
    status: '/object_attributes/status',
    states: ['success'],
  }),
  timestampRule({
    requirement: 'EVT-JOB-15',
    event: 'job',
    title: 'tells when a job that runs or has succeeded began',
    path: '/build_started_at',
    status: '/build_status',
    states: ['running', 'success'],
  }),
  timestampRule({
    requirement: 'EVT-JOB-16',
    event: 'job',
    title: 'tells when a job that has succeeded ended',
    path: '/build_finished_at',
    status: '/build_status',
    states: ['success'],
  }),
]
