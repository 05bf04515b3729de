import { describe, type PayloadRule } from './rule.ts'

export const jobRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-JOB-20',
    events: ['job'],
    title: 'contains the failure reason of a failed job',
    name: 'has build_failure_reason',
    expected: 'the field build_failure_reason, because the status is failed',
    applies: ({ build_status: status }) => status === 'failed',
    findViolations: ({ build_failure_reason: reason }) =>
      reason === undefined ? [{ path: '/build_failure_reason', received: describe(reason) }] : [],
  },
]
