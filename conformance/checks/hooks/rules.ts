import { events, type Event, type Violation } from '../../../generated/events/contract.ts'
import type { EventName } from '../../../generated/events/names.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'

// What is demanded of a delivery beyond the schemas: one place for the checks that watch deliveries and for whoever judges saved ones, so that they never disagree.

export type Payload = Readonly<Record<string, unknown>>

/** A place where a rule is broken: a JSON pointer, and what stands there. */
export interface Broken {
  path: string
  received: string
}

/** How one field of a payload depends on another, which no schema can say. It holds where the payload is of the rule's event by its own word. */
export interface Rule {
  requirement: RequirementId
  event: EventName
  title: string
  name: string
  expected: string
  /** Whether it speaks of this payload. */
  applies: (payload: Payload) => boolean
  /** Where it is broken; empty where it holds. */
  broken: (payload: Payload) => readonly Broken[]
}

const none: readonly Broken[] = []
const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)
const shown = (value: unknown) => (value === undefined ? 'nothing there' : JSON.stringify(value))
const at = (path: string, held: boolean, value: unknown): readonly Broken[] => (held ? none : [{ path, received: shown(value) }])

const checkout = ({ checkout_sha: sha }: Payload) => at('/checkout_sha', sha !== undefined, sha)
/** Whether the ref is still there after the push; no field but `after` tells. */
const staysThere = ({ after }: Payload) => typeof after === 'string' && !isZeros(after)
const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value)
const isChange = (value: unknown) => isObject(value) && value['previous'] !== undefined && value['current'] !== undefined
const step = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const rules: readonly Rule[] = [
  {
    requirement: 'EVT-PUSH-10',
    event: 'push',
    title: 'gives the full name of its ref',
    name: 'is a full name',
    expected: 'a ref that begins with refs/',
    applies: ({ ref }) => typeof ref === 'string',
    broken: ({ ref }) => at('/ref', String(ref).startsWith('refs/'), ref),
  },
  {
    requirement: 'EVT-PUSH-11',
    event: 'push',
    title: 'gives the commit to check out',
    name: 'has checkout_sha',
    expected: 'checkout_sha',
    applies: staysThere,
    broken: checkout,
  },
  {
    requirement: 'EVT-PUSH-21',
    event: 'push',
    title: 'counts at least the commits that it lists',
    name: 'counts them all',
    expected: 'a total_commits_count of no less than the length of commits',
    applies: ({ commits, total_commits_count: total }) => Array.isArray(commits) && typeof total === 'number',
    broken: ({ commits, total_commits_count: total }) => {
      const { length } = commits as unknown[]
      return (total as number) >= length ? none : [{ path: '/total_commits_count', received: `${String(total)} for ${length} commits` }]
    },
  },
  {
    requirement: 'EVT-TAGPUSH-10',
    event: 'tag_push',
    title: 'gives the commit that a tag stands at',
    name: 'has checkout_sha',
    expected: 'checkout_sha',
    applies: staysThere,
    broken: checkout,
  },
  // A tag push tells of a tag that is made or of one that is deleted: where one end is a commit, the other one is nothing.
  {
    requirement: 'EVT-TAGPUSH-20',
    event: 'tag_push',
    title: 'comes from zeros where a tag is made',
    name: 'has zeros before',
    expected: 'before all zeros, since after is a commit',
    applies: ({ before, after }) => typeof before === 'string' && staysThere({ after }),
    broken: ({ before }) => at('/before', isZeros(before), before),
  },
  {
    requirement: 'EVT-TAGPUSH-21',
    event: 'tag_push',
    title: 'ends at zeros where a tag is deleted',
    name: 'has zeros after',
    expected: 'after all zeros, since before is a commit',
    applies: ({ before, after }) => typeof after === 'string' && staysThere({ after: before }),
    broken: ({ after }) => at('/after', isZeros(after), after),
  },
  {
    requirement: 'EVT-ISSUE-32',
    event: 'issue',
    title: 'shows each change with what was and what is',
    name: 'has previous and current',
    expected: 'an object with previous and current',
    applies: ({ changes }) => isObject(changes) && Object.keys(changes).length > 0,
    broken: ({ changes }) =>
      Object.entries(changes as Payload)
        .filter(([, change]) => !isChange(change))
        .map(([name, change]) => ({ path: `/changes/${step(name)}`, received: shown(change) })),
  },
]

const kinds = new Map(Object.values(events).map((event) => [event.kind, event]))

/** The event that a payload is of by its own word; undefined where it says none that there is. */
export function eventOfKind(kind: unknown): Event | undefined {
  return kinds.get(kind as string)
}

/** What of a payload is against the schema of an event. The payload of another event is one mistake: what it is not is not told field by field. */
export function violationsOf(event: Event, body: Payload): Violation[] {
  const other = eventOfKind(body['object_kind'])
  const violations = event.payload.validate(body)
  return other === undefined || other === event ? violations : violations.filter(({ path }) => path === '/object_kind')
}

/** Whether a Content-Type says that the body is JSON. */
export const announcesJson = (type: string): boolean => /^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)

/** Whether a User-Agent begins with a product and its version. */
export const namesProduct = (agent: string): boolean => /^[^/\s]+\/\S+/.test(agent)
