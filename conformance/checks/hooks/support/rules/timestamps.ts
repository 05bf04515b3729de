import { violationUnless, valueAt, type PayloadRule } from './rule.ts'

interface Timestamp extends Pick<PayloadRule, 'requirement' | 'event' | 'title'> {
  /** The path of the timestamp; `status` is the path of the status. */
  path: string
  status: string
  /** The states in which the timestamp must be set. */
  states: readonly string[]
}

/** A timestamp must be set in some states. What failed or was cancelled may never have started. */
function timestampRule({ path, status, states, ...named }: Timestamp): PayloadRule {
  const name = path.split('/').at(-1)!
  return {
    ...named,
    name: `has ${name}`,
    expected: `the field ${name}, because the status is ${states.join(' or ')}`,
    applies: (payload) => states.includes(valueAt(payload, status) as string),
    findViolations: (payload) =>
      violationUnless(path, (valueAt(payload, path) ?? null) !== null, valueAt(payload, path)),
  }
}

export const timestampRules: readonly PayloadRule[] = [
  timestampRule({
    requirement: 'EVT-PIPELINE-17',
    event: 'pipeline',
    title: 'contains the finish time of a pipeline that has succeeded',
    path: '/object_attributes/finished_at',
    status: '/object_attributes/status',
    states: ['success'],
  }),
  timestampRule({
    requirement: 'EVT-JOB-15',
    event: 'job',
    title: 'contains the start time of a job that is running or has succeeded',
    path: '/build_started_at',
    status: '/build_status',
    states: ['running', 'success'],
  }),
  timestampRule({
    requirement: 'EVT-JOB-16',
    event: 'job',
    title: 'contains the finish time of a job that has succeeded',
    path: '/build_finished_at',
    status: '/build_status',
    states: ['success'],
  }),
]
