import { eventNames, type EventName } from '../../../../mocks/deliveries/events.ts'
import { namesOf } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFactor, HooksFactorLevel } from './variation.ts'
import { everyObject, isObject, payloads as changing, type Json } from './building.ts'

/** As many servers as the event with most golden payloads has: together they send every one of them. */
const goldens: readonly HooksFactorLevel[] = Array.from(
  { length: Math.max(...eventNames.map((event) => namesOf(event).length)) },
  (_, turn) => {
    const examples: Partial<Record<EventName, string>> = {}
    for (const event of eventNames) examples[event] = namesOf(event)[turn % namesOf(event).length]!
    return {
      name: `number ${turn + 1}`,
      notCombined: true,
      description: `Tells of the happening of each event that is number ${turn + 1} of its golden payloads.`,
      choices: { examples },
    }
  },
)

/** Where no type is stated, ids may be texts. */
const untyped = [
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
/** The objects whose ids are integers by the document. */
const typed = ['user', 'project']

const withTextIds = (payload: Json) =>
  everyObject(
    payload,
    (holder) => {
      for (const name of untyped)
        if (typeof holder[name] === 'number') holder[name] = `gid://forge/${holder[name]}`
    },
    typed,
  )

/** Lists that may be empty, of any event. */
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
  everyObject(payload, (holder) => {
    if (isObject(holder['changes'])) holder['changes'] = {}
    for (const name of lists) if (Array.isArray(holder[name])) holder[name] = []
  })

/** Puts another text for each commit's time. */
const withTimes = (payload: Json, form: (iso: string) => string) =>
  everyObject(payload, (holder) => {
    const { timestamp } = holder
    if (typeof timestamp === 'string') holder['timestamp'] = form(new Date(timestamp).toISOString())
  })

/** What payloads tell, and in which of the legal forms. */
export const payloads: readonly HooksFactor[] = [
  {
    requirement: 'EVT-EVENT-03',
    name: 'states and happenings',
    levels: [
      { name: 'the fullest', description: 'Tells of the happening that shows most.' },
      {
        name: 'in turn',
        description: 'Tells of one happening after the other.',
        choices: { examples: 'rotating' },
      },
      ...goldens,
    ],
  },
  {
    requirement: 'form',
    name: 'ids and times of happenings',
    levels: [
      { name: 'new', description: 'Tells of a new happening each time.' },
      {
        name: 'always the same',
        description: 'Tells of the same happening each time.',
        choices: { payloadIds: 'golden' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'members that may be without a value',
    levels: [
      { name: 'filled', description: 'Fills them where it can.' },
      { name: 'null', description: 'Says null.', choices: { optionalFields: 'null' } },
      { name: 'absent', description: 'Leaves them out.', choices: { optionalFields: 'absent' } },
    ],
  },
  {
    requirement: 'form',
    name: 'addresses of users',
    levels: [
      { name: 'shown', description: 'Shows them.' },
      {
        name: 'redacted',
        description: 'Shows a word in their place.',
        choices: { emails: 'redacted' },
      },
      { name: 'empty', description: 'Shows an empty text.', choices: { emails: 'empty' } },
    ],
  },
  {
    requirement: 'EVT-COMMIT-04',
    name: 'times of commits',
    levels: [
      { name: 'as golden', description: 'Writes them with an offset.' },
      { name: 'UTC', description: 'Writes them in UTC.', choices: { commitTimes: 'Z' } },
      {
        name: 'half an hour',
        description: 'Writes them with an offset of five hours and a half.',
        choices: { commitTimes: 'offset' },
      },
      {
        name: 'milliseconds',
        notCombined: true,
        description: 'Writes them to the millisecond.',
        choices: { commitTimes: 'millis' },
      },
      {
        name: 'basic',
        notCombined: true,
        description: 'Writes them without hyphens and colons.',
        deviation: changing((payload) =>
          withTimes(payload, (iso) => iso.replace(/[-:]|\.\d+/g, '')),
        ),
      },
      {
        name: 'local',
        notCombined: true,
        description: 'Writes them without an offset, to the minute.',
        deviation: changing((payload) => withTimes(payload, (iso) => iso.slice(0, 16))),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'ids without a type',
    levels: [
      { name: 'numbers', description: 'Counts everything.' },
      {
        name: 'texts',
        description: 'Names by text whatever may be.',
        deviation: changing(withTextIds),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'lists',
    levels: [
      { name: 'filled', description: 'Has something to list.' },
      {
        name: 'empty',
        description: 'Has nothing to list but commits.',
        deviation: changing(withoutItems),
      },
    ],
  },
]
