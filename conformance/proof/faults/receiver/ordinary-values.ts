import { events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { requirementsByEvent } from './acknowledging.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, onDelivery, toHyphens, toWords, valuesAt, type WrongResponse } from './building.ts'

/** Refuses deliveries of an event if a value at this path matches. */
const refuse = (
  event: EventName,
  name: string,
  description: string,
  path: string,
  matches: (value: unknown) => boolean,
  status: WrongResponse = 422,
): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-28'],
    onDelivery(
      () => (delivery) =>
        delivery.event === events[event].header &&
        valuesAt(delivery.payload, path.split('/')).some(matches)
          ? status
          : undefined,
    ),
  )

const isText =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value)
const isLongerThan =
  (length: number) =>
  (value: unknown): boolean =>
    (typeof value === 'string' || Array.isArray(value)) && value.length > length
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

/**
 * Refuses every event of an object but the first. `path` is that of the id of the object in the
 * payload.
 */
const refuseLater = (event: EventName, path: string): ReceiverFault =>
  fault(
    `${toHyphens(event)}-comes-once`,
    `Refuses a second ${toWords(event)} event of the same object.`,
    // The samples of an event can have the same id, too.
    ['EVT-RECEIVER-28', requirementsByEvent[event]],
    onDelivery(() => {
      const [seen, bodies] = [new Set<unknown>(), new Set<string>()]
      return (delivery) => {
        if (delivery.event !== events[event].header) return undefined
        const [id] = valuesAt(delivery.payload, path.split('/'))
        const isRepeated = bodies.has(delivery.bytes.toString())
        bodies.add(delivery.bytes.toString())
        const isLater = seen.has(id)
        seen.add(id)
        return isLater && !isRepeated ? 409 : undefined
      }
    }),
  )

/** Receivers that refuse values which the types of the document allow. */
export const ordinaryValues: readonly ReceiverFault[] = [
  refuseLater('issue', 'object_attributes/id'),
  refuseLater('merge_request', 'object_attributes/id'),
  refuseLater('pipeline', 'object_attributes/id'),
  refuseLater('job', 'build_id'),
  refuseLater('deployment', 'deployment_id'),
  refuseLater('wiki_page', 'object_attributes/slug'),
  refuseLater('release', 'id'),
  refuse(
    'push',
    'branches-have-plain-names',
    'Refuses branches whose names contain other characters than letters, digits and hyphens.',
    'ref',
    (ref) => !isText(/^refs\/heads\/[\w.-]+$/)(ref),
  ),
  refuse(
    'push',
    'twenty-commits-are-enough',
    'Refuses pushes with more than twenty commits.',
    'commits',
    isLongerThan(20),
    413,
  ),
  refuse(
    'push',
    'commits-must-touch-files',
    'Fails if a commit adds, changes and removes no file.',
    'commits/*',
    (commit) =>
      ['added', 'modified', 'removed'].every((name) => valuesAt(commit, [name]).every(isEmptyList)),
    500,
  ),
  refuse(
    'push',
    'fractions-of-seconds-are-unknown',
    'Fails if the time of a commit has a fraction of a second.',
    'commits/*/timestamp',
    isText(/\.\d/),
    500,
  ),
  refuse(
    'push',
    'users-need-an-email',
    'Refuses pushes with an empty email.',
    'user_email',
    (value) => value === '',
  ),
  refuse(
    'tag_push',
    'tags-have-no-slash',
    'Refuses tags whose names contain a slash.',
    'ref',
    isText(/^refs\/tags\/.*\//),
  ),
  refuse(
    'issue',
    'changes-must-not-be-empty',
    'Fails if the object of changes is empty.',
    'changes',
    (changes) => JSON.stringify(changes) === '{}',
    500,
  ),
  refuse(
    'issue',
    'descriptions-are-short',
    'Fails if a description has more than 4000 characters.',
    'object_attributes/description',
    isLongerThan(4000),
    500,
  ),
  refuse(
    'issue',
    'titles-are-short',
    'Fails if a title has more than 255 characters.',
    'object_attributes/title',
    isLongerThan(255),
    500,
  ),
  refuse(
    'issue',
    'markup-is-refused',
    'Refuses descriptions with a script element.',
    'object_attributes/description',
    isText(/<script/i),
    400,
  ),
  refuse(
    'merge_request',
    'forks-are-refused',
    'Refuses merge requests from another project.',
    'object_attributes',
    (attributes) =>
      valuesAt(attributes, ['source_project_id'])[0] !==
      valuesAt(attributes, ['target_project_id'])[0],
    403,
  ),
  refuse(
    'merge_request',
    'one-reviewer-is-enough',
    'Fails if a merge request has two reviewers.',
    'object_attributes/reviewer_ids',
    isLongerThan(1),
    500,
  ),
  refuse(
    'pipeline',
    'runners-need-tags',
    'Fails if a runner has no tags.',
    'builds/*/runner/tags',
    isEmptyList,
    500,
  ),
  refuse(
    'pipeline',
    'four-stages-are-enough',
    'Fails if a pipeline has more than four stages.',
    'object_attributes/stages',
    isLongerThan(4),
    500,
  ),
  refuse(
    'pipeline',
    'thirty-builds-are-enough',
    'Refuses pipelines with more than thirty builds.',
    'builds',
    isLongerThan(30),
    413,
  ),
  refuse(
    'job',
    'jobs-have-plain-names',
    'Refuses jobs whose names contain other characters than letters, digits and hyphens.',
    'build_name',
    (name) => !isText(/^[\w-]+$/)(name),
  ),
  refuse(
    'deployment',
    'environments-need-a-url',
    'Refuses deployments with an empty external URL.',
    'environment_external_url',
    (url) => url === '',
  ),
  refuse(
    'wiki_page',
    'pages-need-a-message',
    'Refuses pages with an empty message.',
    'object_attributes/message',
    (message) => message === '',
  ),
  refuse(
    'wiki_page',
    'pages-are-markdown',
    'Refuses pages in a format other than markdown.',
    'object_attributes/format',
    (format) => format !== 'markdown',
  ),
  refuse(
    'wiki_page',
    'slugs-have-no-slash',
    'Refuses pages whose slug contains a slash.',
    'object_attributes/slug',
    isText(/\//),
    400,
  ),
  refuse(
    'release',
    'sources-have-two-formats',
    'Refuses sources in a format other than zip and tar.gz.',
    'assets/sources/*/format',
    (format) => format !== 'zip' && format !== 'tar.gz',
  ),
  refuse(
    'release',
    'thirty-links-are-enough',
    'Fails if a release has more than thirty links.',
    'assets/links',
    isLongerThan(30),
    500,
  ),
  refuse(
    'push',
    'projects-are-in-one-group',
    'Does not find projects in subgroups.',
    'project/path_with_namespace',
    isText(/\/.*\//),
    404,
  ),
  refuse(
    'push',
    'projects-are-not-private',
    'Refuses projects with the visibility level 0.',
    'project/visibility_level',
    (level) => level === 0,
    403,
  ),
]
