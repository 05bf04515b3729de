import { eventNames, type EventName } from '../../../../mocks/deliveries/events.ts'
import { exampleNames } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFactor, HooksFactorValue } from './variation.ts'
import { forEachObject, isObject, changePayloads, type Json } from './building.ts'

/**
 * Value n sends sample payload n of each event. The event with the most sample payloads determines
 * the number of values.
 */
const samplePayloadValues: readonly HooksFactorValue[] = Array.from(
  { length: Math.max(...eventNames.map((event) => exampleNames(event).length)) },
  (_, turn) => {
    const examples: Partial<Record<EventName, string>> = {}
    for (const event of eventNames)
      examples[event] = exampleNames(event)[turn % exampleNames(event).length]!
    return {
      name: `sample ${turn + 1}`,
      notCombined: true,
      description: `Sends sample payload ${turn + 1} of each event. For an event with fewer samples, continues from its first sample.`,
      choices: { examples },
    }
  },
)

/** Fields that contain an id. The document does not state its type, so a string is allowed. */
const untypedIds = [
  'id',
  'iid',
  'author_id',
  'milestone_id',
  'assignee_id',
  'source_project_id',
  'target_project_id',
  'build_id',
  'pipeline_id',
  'deployment_id',
  'deployable_id',
]
/** The objects whose ids must be integers. */
const objectsWithIntegerIds = ['user', 'project']

const globalId = (id: number) => `gid://forge/${id}`

const withStringIds = (payload: Json) =>
  forEachObject(
    payload,
    (holder) => {
      for (const name of untypedIds) {
        const value = holder[name]
        if (typeof value === 'number') holder[name] = globalId(value)
        // In `changes`, the field contains its previous and its current value.
        else if (isObject(value) && 'current' in value)
          for (const end of ['previous', 'current'])
            if (typeof value[end] === 'number') value[end] = globalId(value[end])
      }
    },
    objectsWithIntegerIds,
  )

/** The names of fields, of any event, whose lists may be empty. */
const lists = [
  'labels',
  'assignees',
  'reviewers',
  'assignee_ids',
  'reviewer_ids',
  'builds',
  'stages',
  'variables',
  'links',
  'sources',
  'tags',
  'added',
  'modified',
  'removed',
]

const withoutItems = (payload: Json) =>
  forEachObject(payload, (holder) => {
    if (isObject(holder['changes'])) holder['changes'] = {}
    for (const name of lists) if (Array.isArray(holder[name])) holder[name] = []
    if (Array.isArray(holder['assignee_ids'])) holder['assignee_id'] = null
    if (Array.isArray(holder['sources'])) holder['count'] = 0
  })

/** Changes the form of the timestamp of each commit. */
const withCommitTimes = (payload: Json, form: (iso: string) => string) =>
  forEachObject(payload, (holder) => {
    const { timestamp } = holder
    if (typeof timestamp === 'string') holder['timestamp'] = form(new Date(timestamp).toISOString())
  })

/** Choices about the contents and the form of payloads. */
export const payloads: readonly HooksFactor[] = [
  {
    requirement: 'none',
    name: 'payloads of an event',
    values: [
      {
        name: 'the sample with the most fields',
        description: 'Sends the sample payload with the most fields.',
      },
      {
        name: 'one sample after the other',
        description: 'Sends the sample payloads of each event in turn.',
        choices: { examples: 'rotating' },
      },
      ...samplePayloadValues,
    ],
  },
  {
    requirement: 'none',
    name: 'ids and timestamps of payloads',
    values: [
      { name: 'new', description: 'Sends new ids and timestamps each time.' },
      {
        name: 'always the same',
        description: 'Sends the same ids and timestamps each time.',
        choices: { payloadIds: 'sample' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'optional fields',
    values: [
      { name: 'with values', description: 'Sends these fields with a value.' },
      {
        name: 'null',
        description: 'Sends these fields as null.',
        choices: { optionalFields: 'null' },
      },
      {
        name: 'absent',
        description: 'Omits these fields.',
        choices: { optionalFields: 'absent' },
        unmet: ['EVT-EVENT-05'],
      },
    ],
  },
  {
    requirement: 'none',
    name: 'email addresses of users',
    values: [
      { name: 'shown', description: 'Sends the email addresses.' },
      {
        name: 'redacted',
        description: 'Sends [REDACTED] instead of each email address.',
        choices: { emails: 'redacted' },
      },
      {
        name: 'empty',
        description: 'Sends an empty string instead of each email address.',
        choices: { emails: 'empty' },
      },
    ],
  },
  {
    requirement: 'EVT-COMMIT-04',
    name: 'format of commit timestamps',
    values: [
      { name: 'with an offset', description: 'Sends timestamps with an offset.' },
      { name: 'in UTC', description: 'Sends timestamps in UTC.', choices: { commitTimes: 'Z' } },
      {
        name: 'with an offset of five and a half hours',
        description: 'Sends timestamps with an offset of five and a half hours.',
        choices: { commitTimes: 'offset' },
      },
      {
        name: 'with milliseconds',
        notCombined: true,
        description: 'Sends timestamps with milliseconds.',
        choices: { commitTimes: 'millis' },
      },
      {
        name: 'without hyphens or colons',
        notCombined: true,
        description: 'Sends timestamps without hyphens or colons.',
        deviation: changePayloads((payload) =>
          withCommitTimes(payload, (iso) => iso.replace(/[-:]|\.\d+/g, '')),
        ),
      },
      {
        name: 'without an offset or seconds',
        notCombined: true,
        description: 'Sends timestamps without an offset and without seconds.',
        deviation: changePayloads((payload) => withCommitTimes(payload, (iso) => iso.slice(0, 16))),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'ids without a stated type',
    values: [
      { name: 'numbers', description: 'Sends integers as ids.' },
      {
        name: 'strings',
        description: 'Sends strings as ids.',
        deviation: changePayloads(withStringIds),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'lists',
    values: [
      { name: 'filled', description: 'Sends lists with items.' },
      {
        name: 'empty',
        description: 'Sends empty lists, except for commits.',
        deviation: changePayloads(withoutItems),
      },
    ],
  },
]
