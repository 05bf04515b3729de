import { isObject } from '../../../../engine/index.ts'
import { eventNames } from '../../../../../generated/events/names.ts'
import {
  describe,
  listObjects,
  type DeliveryPayload,
  type LocatedObject,
  type PayloadRule,
  type RuleViolation,
} from './rule.ts'

/** A kind of object with a status: pipelines, jobs, or the builds of a pipeline. */
interface StatusObject {
  event: 'pipeline' | 'job'
  noun: string
  /** Finds these objects in a payload. */
  find(payload: DeliveryPayload): readonly LocatedObject[]
  /** The prefix of the field names of these objects. */
  prefix: string
}

const jobs: StatusObject = {
  event: 'job',
  noun: 'job',
  find: (payload) => [{ path: '', value: payload }],
  prefix: 'build_',
}
const pipelines: StatusObject = {
  event: 'pipeline',
  noun: 'pipeline',
  find: ({ object_attributes: value }) =>
    isObject(value) ? [{ path: '/object_attributes', value }] : [],
  prefix: '',
}
const builds: StatusObject = {
  event: 'pipeline',
  noun: 'build',
  find: ({ builds: list }) =>
    (Array.isArray(list) ? list : []).flatMap((value: unknown, index) =>
      isObject(value) ? [{ path: `/builds/${index}`, value }] : [],
    ),
  prefix: '',
}

/**
 * The rule that a field has a value if the status is one of `states`. An object that failed or was
 * cancelled may never have started, so rules about its start do not list these states.
 */
function valueRule(
  requirement: PayloadRule['requirement'],
  kind: StatusObject,
  name: string,
  states: readonly string[],
  what: string,
): PayloadRule {
  const { event, noun, find, prefix } = kind
  const field = name === 'runner' ? name : `${prefix}${name}`
  const placesOf = (payload: DeliveryPayload) =>
    find(payload).filter(({ value }) => states.includes(value[`${prefix}status`] as string))
  return {
    requirement,
    events: [event],
    title: `contains ${what} of a ${noun} that ${states.includes('running') ? 'is running or has succeeded' : states.length > 1 ? 'has succeeded or failed' : 'has succeeded'}`,
    name: `has ${field}`,
    expected: `the field ${field} with a value, because the status is ${states.join(' or ')}`,
    applies: (payload) => placesOf(payload).length > 0,
    findViolations: (payload) =>
      placesOf(payload)
        .filter(({ value }) => (value[field] ?? null) === null)
        .map(({ path, value }) => ({ path: `${path}/${field}`, received: describe(value[field]) })),
  }
}

const running = ['running', 'success']
const ended = ['success', 'failed']

/** Fields whose value becomes known only later, and the states in which they have no value yet. */
const unreached: readonly (readonly [name: string, states: readonly string[]])[] = [
  ['started_at', ['pending']],
  ['finished_at', ['pending', 'running']],
]

/** The fields of a payload that have no value yet, because of the status. */
const listUnreached = (payload: DeliveryPayload) =>
  [jobs, pipelines, builds]
    .filter(({ event }) => payload['object_kind'] === (event === 'job' ? 'build' : event))
    .flatMap(({ find, prefix }) =>
      find(payload).flatMap(({ path, value }) =>
        unreached
          .filter(([, states]) => states.includes(value[`${prefix}status`] as string))
          .map(([name]) => `${prefix}${name}`)
          .map((field) => ({
            path: `${path}/${field}`,
            field,
            value: value[field],
            status: String(value[`${prefix}status`]),
          })),
      ),
    )

const findUnreached = (payload: DeliveryPayload): RuleViolation[] =>
  listUnreached(payload)
    .filter(({ value }) => (value ?? null) !== null)
    .map(({ path, field, value, status }) => ({
      path,
      received: `${field} ${describe(value)}, but the status is ${status}`,
    }))

/** Pairs of timestamps of one object, the earlier one first. */
const ordered = [
  ['created_at', 'updated_at'],
  ['created_at', 'started_at'],
  ['created_at', 'finished_at'],
  ['started_at', 'finished_at'],
] as const

const utc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/

/** Whether a value is a timestamp in the documented format, which can be compared as a string. */
const isComparable = (value: unknown): value is string =>
  typeof value === 'string' && utc.test(value)

/** The pairs of comparable timestamps in the objects of a payload. */
const listPairs = (payload: DeliveryPayload) =>
  listObjects(payload).flatMap(({ path, value }) =>
    ['', 'build_'].flatMap((prefix) =>
      ordered.flatMap(([earlier, later]) => {
        const [first, second] = [`${prefix}${earlier}`, `${prefix}${later}`]
        const [start, end] = [value[first], value[second]]
        return isComparable(start) && isComparable(end) ? [{ path, first, second, start, end }] : []
      }),
    ),
  )

const findDisordered = (payload: DeliveryPayload): RuleViolation[] =>
  listPairs(payload)
    .filter(({ start, end }) => start > end)
    .map(({ path, first, second, start, end }) => ({
      path: `${path}/${second}`,
      received: `${first} ${describe(start)}, ${second} ${describe(end)}`,
    }))

export const timestampRules: readonly PayloadRule[] = [
  valueRule('EVT-PIPELINE-17', pipelines, 'finished_at', ended, 'the finish time'),
  valueRule('EVT-PIPELINE-18', pipelines, 'duration', ['success'], 'the duration'),
  valueRule('EVT-PIPELINE-19', pipelines, 'queued_duration', running, 'the queued duration'),
  valueRule('EVT-BUILD-07', builds, 'started_at', running, 'the start time'),
  valueRule('EVT-BUILD-08', builds, 'finished_at', ended, 'the finish time'),
  valueRule('EVT-BUILD-09', builds, 'duration', ['success'], 'the duration'),
  valueRule('EVT-BUILD-10', builds, 'queued_duration', running, 'the queued duration'),
  valueRule('EVT-BUILD-15', builds, 'runner', running, 'the runner'),
  valueRule('EVT-JOB-15', jobs, 'started_at', running, 'the start time'),
  valueRule('EVT-JOB-16', jobs, 'finished_at', ended, 'the finish time'),
  valueRule('EVT-JOB-17', jobs, 'duration', ['success'], 'the duration'),
  valueRule('EVT-JOB-18', jobs, 'queued_duration', running, 'the queued duration'),
  valueRule('EVT-JOB-22', jobs, 'runner', running, 'the runner'),
  {
    requirement: 'EVT-EVENT-06',
    events: ['pipeline', 'job'],
    title: 'has no start time before the start, and no end time before the end',
    name: 'has no value for later moments',
    expected: 'no started_at while pending, and no finished_at while pending or running',
    applies: (payload) => listUnreached(payload).length > 0,
    findViolations: findUnreached,
  },
  {
    requirement: 'EVT-EVENT-07',
    events: eventNames,
    title: 'has timestamps in chronological order',
    name: 'has timestamps in order',
    expected: 'created_at, started_at, finished_at in this order, and updated_at after created_at',
    applies: (payload) => listPairs(payload).length > 0,
    findViolations: findDisordered,
  },
]
