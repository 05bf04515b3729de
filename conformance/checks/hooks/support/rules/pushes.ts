import { violationUnless, noViolations, type DeliveryPayload, type PayloadRule } from './rule.ts'

const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)
const findMissingCheckout = ({ checkout_sha: sha }: DeliveryPayload) =>
  violationUnless('/checkout_sha', sha !== undefined, sha)

/** Whether the tag exists after the push. Only the field `after` shows it. */
const isPresentAfter = ({ after }: DeliveryPayload) => typeof after === 'string' && !isZeros(after)
/**
 * Whether the branch exists and has new commits. The document does not define `after` for a deleted
 * branch, but such a push has no commits.
 */
const hasNewCommits = (payload: DeliveryPayload) =>
  isPresentAfter(payload) && Array.isArray(payload['commits']) && payload['commits'].length > 0

export const pushRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-PUSH-11',
    event: 'push',
    title: 'contains the field checkout_sha, unless the push deletes the ref',
    name: 'has checkout_sha',
    expected: 'the field checkout_sha, because there are new commits',
    applies: hasNewCommits,
    findViolations: findMissingCheckout,
  },
  {
    requirement: 'EVT-PUSH-21',
    event: 'push',
    title: 'counts at least the commits that it lists in total_commits_count',
    name: 'counts them all',
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
    event: 'tag_push',
    title: 'contains the field checkout_sha, unless the push deletes the tag',
    name: 'has checkout_sha',
    expected: 'the field checkout_sha, because the field `after` is a commit id',
    applies: isPresentAfter,
    findViolations: findMissingCheckout,
  },
  // A tag push creates or deletes a tag: if one end is a commit, the other one is zeros. A missing
  // end is covered by the schema.
  {
    requirement: 'EVT-TAGPUSH-20',
    event: 'tag_push',
    title: 'has only zeros in the field before if the tag is created',
    name: 'has zeros before',
    expected: 'only zeros in the field `before`, because the field `after` is a commit id',
    applies: ({ before, after }) => before !== undefined && isPresentAfter({ after }),
    findViolations: ({ before }) => violationUnless('/before', isZeros(before), before),
  },
  {
    requirement: 'EVT-TAGPUSH-21',
    event: 'tag_push',
    title: 'has only zeros in the field after if the tag is deleted',
    name: 'has zeros after',
    expected: 'only zeros in the field `after`, because the field `before` is a commit id',
    applies: ({ before, after }) => after !== undefined && isPresentAfter({ after: before }),
    findViolations: ({ after }) => violationUnless('/after', isZeros(after), after),
  },
]
