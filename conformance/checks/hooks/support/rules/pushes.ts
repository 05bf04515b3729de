import { violationUnless, noViolations, type DeliveryPayload, type PayloadRule } from './rule.ts'

/** Whether a value consists of zeros, which a push contains in place of a missing commit id. */
export const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)
const hasCommitId = (...values: unknown[]) => values.some(isCommitId)
const findMissingCheckout = ({ checkout_sha: sha }: DeliveryPayload) =>
  violationUnless('/checkout_sha', sha !== undefined, sha)

/** Whether the tag or branch exists after the push. */
export const isPresentAfter = ({ after }: DeliveryPayload) =>
  typeof after === 'string' && !isZeros(after)
/**
 * Whether the branch exists and has new commits. The document does not define `after` for a deleted
 * branch, but such a push has no commits.
 */
export const hasNewCommits = (payload: DeliveryPayload) =>
  isPresentAfter(payload) && Array.isArray(payload['commits']) && payload['commits'].length > 0

/**
 * Whether a tag push whose `before` and `after` are both commit ids is about a deleted tag: only
 * then has it nothing to check out.
 */
const isTagDeletion = ({ before, checkout_sha: sha }: DeliveryPayload) =>
  sha === null && isPresentAfter({ after: before })

/** Whether a value is a commit id: 40 digits for SHA-1, 64 for SHA-256. */
export const isCommitId = (value: unknown) =>
  typeof value === 'string' && /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(value)

/** The rule that `before` and `after` of a push are commit ids, if the document defines them. */
const commitIdRule: PayloadRule = {
  requirement: 'EVT-PUSH-25',
  events: ['push'],
  title: 'has commit ids in the fields before and after',
  name: 'has commit ids',
  expected: '40 or 64 hexadecimal digits',
  applies: ({ before, after }) => typeof before === 'string' && typeof after === 'string',
  findViolations: ({ before, after, commits }) => {
    // The document does not define these fields for a created or deleted branch.
    const isEmptyOrZeros = (value: unknown) => /^0*$/.test(String(value))
    const isDeleted = isEmptyOrZeros(after) && !(Array.isArray(commits) && commits.length > 0)
    return [
      ...violationUnless('/before', isEmptyOrZeros(before) || isCommitId(before), before),
      ...violationUnless('/after', isDeleted || isCommitId(after), after),
    ]
  },
}

export const pushRules: readonly PayloadRule[] = [
  commitIdRule,
  {
    requirement: 'EVT-PUSH-11',
    events: ['push'],
    title: 'contains the field checkout_sha if the push has commits',
    name: 'has checkout_sha',
    expected: 'the field checkout_sha, because there are new commits',
    applies: hasNewCommits,
    findViolations: findMissingCheckout,
  },
  {
    requirement: 'EVT-PUSH-26',
    events: ['push'],
    title: 'has the commit id of the field after in checkout_sha',
    name: 'checks out the pushed commit',
    expected: 'the commit id in the field `after`',
    applies: ({ after, checkout_sha: sha }) => isCommitId(after) && typeof sha === 'string',
    findViolations: ({ after, checkout_sha: sha }) =>
      violationUnless('/checkout_sha', sha === after, sha),
  },
  {
    requirement: 'EVT-PUSH-21',
    events: ['push'],
    title: 'has a total_commits_count that is not below the number of listed commits',
    name: 'counts at least the listed commits',
    expected: 'total_commits_count greater than or equal to the number of commits',
    applies: ({ commits, total_commits_count: total }) =>
      Array.isArray(commits) && typeof total === 'number',
    findViolations: ({ commits, total_commits_count: total }) => {
      const { length } = commits as unknown[]
      return (total as number) >= length
        ? noViolations
        : [
            {
              path: '/total_commits_count',
              received: `total_commits_count ${String(total)}, and ${length} items in commits`,
            },
          ]
    },
  },
  {
    requirement: 'EVT-TAGPUSH-10',
    events: ['tag_push'],
    title: 'contains the field checkout_sha, unless the push deletes the tag',
    name: 'has checkout_sha',
    expected: 'the field checkout_sha, because the field `after` is a commit id',
    applies: isPresentAfter,
    findViolations: findMissingCheckout,
  },
  // A tag push creates or deletes a tag, so one of `before` and `after` is a commit id, and the
  // other consists of zeros. The schema requires both fields. If both are commit ids, only one of
  // these rules applies: two would require opposite changes for one defect.
  {
    requirement: 'EVT-TAGPUSH-20',
    events: ['tag_push'],
    title: 'has only zeros in the field before if the tag is created',
    name: 'has zeros before',
    expected: 'only zeros in the field `before`, because the field `after` is a commit id',
    applies: (payload) =>
      payload['before'] !== undefined && isPresentAfter(payload) && !isTagDeletion(payload),
    findViolations: ({ before }) => violationUnless('/before', isZeros(before), before),
  },
  {
    requirement: 'EVT-TAGPUSH-21',
    events: ['tag_push'],
    title: 'has only zeros in the field after if the tag is deleted',
    name: 'has zeros after',
    expected: 'only zeros in the field `after`, because the field `before` is a commit id',
    applies: (payload) =>
      payload['after'] !== undefined &&
      isPresentAfter({ after: payload['before'] }) &&
      (!isPresentAfter(payload) || isTagDeletion(payload)),
    findViolations: ({ after }) => violationUnless('/after', isZeros(after), after),
  },
  {
    requirement: 'EVT-TAGPUSH-22',
    events: ['tag_push'],
    title: 'has as many zeros in before or after as the commit id has digits',
    name: 'has as many zeros as digits',
    expected: 'as many zeros as the commit id has digits',
    applies: ({ before, after }) =>
      isZeros(before) !== isZeros(after) && hasCommitId(before, after),
    findViolations: ({ before, after }) => {
      const [path, zeros, id] = isZeros(before)
        ? ['/before', before, after]
        : ['/after', after, before]
      return violationUnless(path as string, String(zeros).length === String(id).length, zeros)
    },
  },
  {
    requirement: 'EVT-TAGPUSH-23',
    events: ['tag_push'],
    title: 'has the full name of a tag in ref',
    name: 'has the name of a tag',
    expected: 'a ref that starts with refs/tags/',
    applies: ({ ref }) => typeof ref === 'string',
    findViolations: ({ ref }) => violationUnless('/ref', /^refs\/tags\/./.test(String(ref)), ref),
  },
]
