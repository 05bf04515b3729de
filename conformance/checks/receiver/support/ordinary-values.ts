import { exampleOf } from '../../../../generated/events/examples.ts'
import type { EventName } from '../../../../generated/events/contract.ts'
import { changeValues, richestPayload, type MutableJson } from './payloads.ts'
import type { ReceiverWorld } from './world.ts'

/** Changes a payload in place. */
type Change = (payload: MutableJson) => void

/** Sets all values at a path. */
const set =
  (path: string, value: unknown): Change =>
  (payload) =>
    changeValues(payload, path, () => value)

/** Appends a copy of the first item of a list, which `change` changes. */
const addItem =
  (path: string, change: (copy: MutableJson) => MutableJson): Change =>
  (payload) =>
    changeValues(payload, path, (items) => {
      const [first] = items as MutableJson[]
      return first === undefined ? items : [...(items as MutableJson[]), change(first)]
    })

const both =
  (...changes: readonly Change[]): Change =>
  (payload) => {
    for (const change of changes) change(payload)
  }

/** A push of this many short commits. */
const repeatCommits =
  (count: number): Change =>
  (payload) => {
    const [commit] = payload['commits'] as MutableJson[]
    const id = String(commit!['id'])
    payload['commits'] = Array.from({ length: count }, (_, index) => {
      const own = `${id.slice(0, -2)}${String(index).padStart(2, '0')}`
      return { ...commit, id: own, url: String(commit!['url']).replace(id, own) }
    })
    payload['total_commits_count'] = count
  }

/** Repeats the items of a list, with other ids, until it has this many. */
const repeatItems =
  (path: string, count: number): Change =>
  (payload) =>
    changeValues(payload, path, (items) => {
      const [first] = items as MutableJson[]
      return Array.from({ length: count }, (_, index) => ({
        ...first,
        id: Number(first!['id']) + index,
        name: `${String(first!['name'])} ${index}`,
      }))
    })

/** Payloads with many items, with which a receiver may work longer. */
const longPayloads: Readonly<Partial<Record<EventName, Readonly<Record<string, Change>>>>> = {
  push: { 'twenty-five commits': repeatCommits(25) },
  pipeline: { 'forty builds': repeatItems('/builds', 40) },
  release: {
    'forty links': both(repeatItems('/assets/links', 40), (payload) => {
      const assets = payload['assets'] as MutableJson
      assets['count'] = 40 + (assets['sources'] as unknown[]).length
    }),
  },
}

const longTitle = `${'a long title '.repeat(24)}with an end`
const markup = 'Escape <script>alert("1")</script> & <b>bold</b>'

/**
 * For each event, values that the types of the document allow, and that senders send on ordinary
 * days, by label. The sample payloads do not contain them.
 */
const ordinaryValues: Readonly<Record<EventName, Readonly<Record<string, Change>>>> = {
  push: {
    'a branch with a slash and non-ASCII letters': set('/ref', 'refs/heads/feature/größe'),
    'a commit without files': both(
      set('/commits/*/added', []),
      set('/commits/*/modified', []),
      set('/commits/*/removed', []),
    ),
    'times of commits with fractions of seconds': set(
      '/commits/*/timestamp',
      '2026-03-02T10:24:14.123+01:00',
    ),
    'an empty email': set('/user_email', ''),
  },
  tag_push: { 'a tag with a slash': set('/ref', 'refs/tags/release/v1.4.0') },
  issue: {
    'an empty object of changes': set('/changes', {}),
    'a long description': set('/object_attributes/description', 'A line of text.\n'.repeat(400)),
    'a long title': set('/object_attributes/title', longTitle),
    'markup in the description': set('/object_attributes/description', markup),
  },
  merge_request: {
    'a fork as the source': set('/object_attributes/source_project_id', 2311),
    'two reviewers': both(
      addItem('/reviewers', (copy) => ({ ...copy, id: 64, username: 'ines' })),
      set('/object_attributes/reviewer_ids', [63, 64]),
    ),
  },
  pipeline: {
    'a runner without tags': set('/builds/*/runner/tags', []),
    'five stages': set('/object_attributes/stages', ['build', 'test', 'scan', 'stage', 'deploy']),
  },
  job: {
    'a name with a colon, spaces and a slash': set('/build_name', 'test: unit tests 1/2'),
  },
  deployment: { 'an empty external URL': set('/environment_external_url', '') },
  wiki_page: {
    'an empty message': set('/object_attributes/message', ''),
    'another format': set('/object_attributes/format', 'asciidoc'),
    'a slug with a slash': both(
      set('/object_attributes/slug', 'harbours/saint-malo'),
      set('/object_attributes/url', 'https://git.example.com/wikis/harbours/saint-malo'),
    ),
  },
  release: {
    'sources in a third format': addItem('/assets/sources', ({ url }) => ({
      format: 'tar.bz2',
      url: String(url).replace(/\.zip$/, '.tar.bz2'),
    })),
  },
}

/** Values of the project, which most payloads contain. */
const projectValues: Readonly<Record<string, Change>> = {
  'a project in a subgroup': set('/project/path_with_namespace', 'harbour/lab/tide-table'),
  'a private project': set('/project/visibility_level', 0),
}

/** Payloads with these values, by the event and a label. */
export function listOrdinaryPayloads(
  events: readonly EventName[],
  world: Pick<ReceiverWorld, 'makeUnique'>,
): { event: EventName; label: string; body: string }[] {
  const withProject = events.find((event) => 'project' in (exampleOf(event)?.payload ?? {}))
  return events.flatMap((event) =>
    Object.entries({
      ...ordinaryValues[event],
      ...longPayloads[event],
      ...(event === withProject ? projectValues : {}),
    }).map(([label, change]) => {
      const payload = richestPayload(event, world)
      change(payload)
      return { event, label: `${event}, ${label}`, body: JSON.stringify(payload) }
    }),
  )
}

/** The payloads with many items, by their event. */
export function listLongPayloads(
  events: readonly EventName[],
  world: Pick<ReceiverWorld, 'makeUnique'>,
): { event: EventName; body: string }[] {
  return events.flatMap((event) =>
    Object.values(longPayloads[event] ?? {}).map((change) => {
      const payload = richestPayload(event, world)
      change(payload)
      return { event, body: JSON.stringify(payload) }
    }),
  )
}
