import { violationUnless, noViolations, type DeliveryPayload, type PayloadRule } from './rule.ts'

const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)
const findMissingCheckout = ({ checkout_sha: sha }: DeliveryPayload) =>
  violationUnless('/checkout_sha', sha !== undefined, sha)

/** Whether the tag is still there after the push; no field but `after` tells. */
const isPresentAfter = ({ after }: DeliveryPayload) => typeof after === 'string' && !isZeros(after)
/** Whether the branch is. What `after` shows of a branch that is gone is open, but no push of that kind has commits. */
const hasNewCommits = (payload: DeliveryPayload) =>
  isPresentAfter(payload) && Array.isArray(payload['commits']) && payload['commits'].length > 0

export const pushRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-PUSH-11',
    event: 'push',
    title: 'gives the commit to check out',
    name: 'has checkout_sha',
    expected: 'checkout_sha, since new commits came',
    applies: hasNewCommits,
    findViolations: findMissingCheckout,
  },
  {
    requirement: 'EVT-PUSH-21',
    event: 'push',
    title: 'counts at least the commits that it lists',
    name: 'counts them all',
    expected: 'a total_commits_count of no less than the length of commits',
    applies: ({ commits, total_commits_count: total }) =>
      Array.isArray(commits) && typeof total === 'number',
    findViolations: ({ commits, total_commits_count: total }) => {
      const { length } = commits as unknown[]
      return (total as number) >= length
        ? noViolations
        : [{ path: '/total_commits_count', received: `${String(total)} for ${length} commits` }]
    },
  },
  {
    requirement: 'EVT-TAGPUSH-10',
    event: 'tag_push',
    title: 'gives the commit that a tag stands at',
    name: 'has checkout_sha',
    expected: 'checkout_sha, since after is a commit',
    applies: isPresentAfter,
    findViolations: findMissingCheckout,
  },
  // A tag push tells of a tag that is made or of one that is deleted: where one end is a commit, the other one is nothing. That an end is not there at all is
  // another row's.
  {
    requirement: 'EVT-TAGPUSH-20',
    event: 'tag_push',
    title: 'comes from zeros where a tag is made',
    name: 'has zeros before',
    expected: 'before all zeros, since after is a commit',
    applies: ({ before, after }) => before !== undefined && isPresentAfter({ after }),
    findViolations: ({ before }) => violationUnless('/before', isZeros(before), before),
  },
  {
    requirement: 'EVT-TAGPUSH-21',
    event: 'tag_push',
    title: 'ends at zeros where a tag is deleted',
    name: 'has zeros after',
    expected: 'after all zeros, since before is a commit',
    applies: ({ before, after }) => after !== undefined && isPresentAfter({ after: before }),
    findViolations: ({ after }) => violationUnless('/after', isZeros(after), after),
  },
]
