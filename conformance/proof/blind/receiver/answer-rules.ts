import { kinds, type AnswerRule, type Delivery, type Doc } from './types.ts'

const A = 'Errors › 1'
const L = 'Limits › receiver response time'
type Spoils = AnswerRule['spoils']
const rule = (name: string, where: string, does: string, spoils: Spoils): AnswerRule => ({
  name,
  kind: 'violation',
  where,
  does,
  spoils,
})
const fails = (
  name: string,
  where: string,
  does: string,
  if_: (d: Delivery) => unknown,
  status = 500,
): AnswerRule => rule(name, where, does, (d) => (if_(d) ? { status } : undefined))

const zeros = /^0+$/
const attrs = (d: Delivery): Doc => d.doc['object_attributes'] ?? {}
const list = (v: unknown): any[] => (Array.isArray(v) ? v : [])
const commits = (d: Delivery) => list(d.doc['commits'])
const action = (d: Delivery, kind: string, word: string) =>
  d.kind === kind && (attrs(d)['action'] ?? d.doc['action']) === word
const some = (d: Delivery, test: (v: unknown, k: string) => boolean): boolean => {
  const look = (v: unknown, k: string): boolean =>
    test(v, k) ||
    (v !== null && typeof v === 'object' && Object.entries(v).some(([k2, x]) => look(x, k2)))
  return look(d.doc, '')
}
const statuses: [string, string, number][] = [
  ['push', 'Push payload', 500],
  ['tag_push', 'Tag push payload', 422],
  ['issue', 'Issue payload', 400],
  ['merge_request', 'Merge request payload', 404],
  ['pipeline', 'Pipeline payload', 501],
  ['build', 'Job payload', 400],
  ['deployment', 'Deployment payload', 422],
  ['wiki_page', 'Wiki page payload', 404],
  ['release', 'Release payload', 500],
]
const word = (k: string) => k.replace('_', '-')

export const answerRules: readonly AnswerRule[] = [
  ...statuses.map(([k, where, status]) =>
    fails(
      `${word(k)}-refused`,
      where,
      `Deliveries of ${k} get ${status}.`,
      (d) => d.kind === k,
      status,
    ),
  ),
  ...kinds
    .slice(0, 3)
    .map((k, i) =>
      rule(`${word(k)}-redirected`, A, `Deliveries of ${k} are redirected.`, (d) =>
        d.kind === k ? { status: [302, 307, 308][i]!, location: '/in/new' } : undefined,
      ),
    ),
  fails(
    'tag-deletion-fails',
    'Tag push payload',
    'after of all zeros makes it fail.',
    (d) => d.kind === 'tag_push' && zeros.test(d.doc['after']),
  ),
  fails(
    'tag-creation-fails',
    'Tag push payload',
    'before of all zeros in a tag makes it fail.',
    (d) => d.kind === 'tag_push' && zeros.test(d.doc['before']),
  ),
  fails(
    'new-branch-fails',
    'Push payload',
    'before of all zeros in a push makes it fail.',
    (d) => d.kind === 'push' && zeros.test(d.doc['before']),
  ),
  fails(
    'empty-commits-fail',
    'Push payload',
    'An empty list of commits makes it fail.',
    (d) => ['push', 'tag_push'].includes(d.kind) && commits(d).length === 0,
  ),
  fails(
    'many-commits-fail',
    'Push payload',
    'More than one commit in a push makes it fail.',
    (d) => commits(d).length > 1,
  ),
  fails(
    'counted-commits-refused',
    'Push payload',
    'A count that exceeds the listed commits is refused.',
    (d) => Number(d.doc['total_commits_count']) > commits(d).length,
    422,
  ),
  fails(
    'project-without-avatar-fails',
    'Shared nested objects › Project',
    'A project whose avatar_url is null makes it fail.',
    (d) => d.doc['project']?.avatar_url === null,
  ),
  fails(
    'branch-name-null-fails',
    'Issue payload',
    'branch_name of null makes it fail.',
    (d) => attrs(d)['branch_name'] === null,
  ),
  fails(
    'branch-name-set-fails',
    'Issue payload',
    'branch_name of a string makes it fail.',
    (d) => typeof attrs(d)['branch_name'] === 'string',
  ),
  fails(
    'unassigned-fails',
    'Issue payload',
    'An empty list of assignees makes it fail.',
    (d) => d.kind === 'issue' && list(d.doc['assignees']).length === 0,
  ),
  fails(
    'several-assignees-fail',
    'Issue payload',
    'Two assignees make it fail.',
    (d) => list(d.doc['assignees']).length > 1,
  ),
  fails(
    'unlabelled-fails',
    'Issue payload',
    'An empty list of labels makes it fail.',
    (d) => d.kind === 'issue' && list(d.doc['labels']).length === 0,
  ),
  fails(
    'empty-changes-fail',
    'Issue payload',
    'An empty map of changes makes it fail.',
    (d) => d.doc['changes'] && Object.keys(d.doc['changes']).length === 0,
  ),
  fails(
    'build-without-environment-fails',
    'Pipeline payload › builds',
    'A build whose environment is null makes it fail.',
    (d) => list(d.doc['builds']).some((b) => b?.environment === null),
  ),
  fails(
    'build-with-environment-fails',
    'Pipeline payload › builds',
    'A build that has an environment makes it fail.',
    (d) => list(d.doc['builds']).some((b) => b?.environment),
  ),
  fails(
    'unreviewed-fails',
    'Merge request payload',
    'An empty list of reviewers makes it fail.',
    (d) => d.kind === 'merge_request' && list(d.doc['reviewers']).length === 0,
  ),
  fails(
    'draft-refused',
    'Merge request payload',
    'Drafts are refused.',
    (d) => d.kind === 'merge_request' && attrs(d)['draft'] === true,
    422,
  ),
  ...['pending', 'running', 'success', 'failed', 'canceled', 'skipped'].map((s, i) =>
    fails(
      `pipeline-${s}-fails`,
      'Pipeline payload › status values',
      `Pipelines with the status ${s} fail.`,
      (d) => d.kind === 'pipeline' && attrs(d)['status'] === s,
      i % 2 ? 422 : 500,
    ),
  ),
  ...['pending', 'running', 'failed', 'canceled'].map((s) =>
    fails(
      `job-${s}-fails`,
      'Job payload › build_status values',
      `Jobs that are ${s} fail.`,
      (d) => d.kind === 'build' && d.doc['build_status'] === s,
    ),
  ),
  ...['created', 'running', 'failed', 'canceled'].map((s) =>
    fails(
      `deployment-${s}-refused`,
      'Deployment payload › status values',
      `Deployments that are ${s} are refused.`,
      (d) => d.kind === 'deployment' && d.doc['status'] === s,
      422,
    ),
  ),
  ...['update', 'close', 'reopen'].map((s) =>
    fails(
      `issue-${s}-fails`,
      'Issue payload › action values',
      `Issues with the action ${s} fail.`,
      (d) => action(d, 'issue', s),
    ),
  ),
  ...['update', 'close', 'reopen', 'merge', 'approved', 'unapproved'].map((s) =>
    fails(
      `merge-request-${s}-fails`,
      'Merge request payload › action values',
      `Merge requests with the action ${s} fail.`,
      (d) => action(d, 'merge_request', s),
      400,
    ),
  ),
  ...['update', 'delete'].flatMap((s) => [
    fails(
      `wiki-${s}-fails`,
      'Wiki page payload › action values',
      `Wiki pages with the action ${s} fail.`,
      (d) => action(d, 'wiki_page', s),
    ),
    fails(
      `release-${s}-fails`,
      'Release payload › action values',
      `Releases with the action ${s} fail.`,
      (d) => action(d, 'release', s),
    ),
  ]),
  fails(
    'release-without-links-fails',
    'Release payload › assets',
    'An empty list of links makes it fail.',
    (d) => d.kind === 'release' && list(d.doc['assets']?.links).length === 0,
  ),
  fails(
    'commit-time-zulu-refused',
    'Shared nested objects › Timestamps',
    'Commit times that end in Z are refused.',
    (d) => some(d, (v, k) => k === 'timestamp' && /Z$/.test(String(v))),
    422,
  ),
  fails(
    'commit-time-offset-refused',
    'Shared nested objects › Timestamps',
    'Commit times with an offset are refused.',
    (d) => some(d, (v, k) => k === 'timestamp' && /[+-]\d\d:?\d\d$/.test(String(v))),
    422,
  ),
  fails(
    'afternoon-refused',
    'Shared nested objects › Timestamps',
    "Times of the form with UTC are refused from 13 o'clock on.",
    (d) => some(d, (v) => / (1[3-9]|2\d):\d\d:\d\d UTC$/.test(String(v))),
    422,
  ),
  fails(
    'utc-times-refused',
    'Shared nested objects › Timestamps',
    'Times of the form with UTC are refused; ISO 8601 is wanted.',
    (d) => some(d, (v, k) => /_at$/.test(k) && / UTC$/.test(String(v))),
    400,
  ),
  fails('other-letters-fail', 'RFC 8259 8.1', 'Letters beyond ASCII make it fail.', (d) =>
    /[^\x00-\x7f]/.test(d.text),
  ),
  fails('emoji-fail', 'RFC 8259 8.1', 'Characters beyond 16 bits make it fail.', (d) =>
    /[\u{10000}-\u{10ffff}]/u.test(d.text),
  ),
  fails(
    'escapes-refused',
    'RFC 8259 7',
    'Escaped characters in bodies are refused.',
    (d) => /\\u[0-9a-f]{4}/i.test(d.text),
    400,
  ),
  fails(
    'indented-refused',
    'RFC 8259 2',
    'Indented bodies are refused.',
    (d) => /^\s*\{\s*\n/.test(d.text),
    400,
  ),
  fails(
    'key-order-matters',
    'RFC 8259 4',
    'Bodies must begin with object_kind or id.',
    (d) => !/^\s*\{\s*"(object_kind|id)"/.test(d.text),
    400,
  ),
  fails(
    'charset-refused',
    'RFC 9110 8.3.1',
    'A charset in the media type is refused.',
    (d) => /;/.test(d.headers['content-type'] ?? ''),
    415,
  ),
  fails(
    'media-type-case-matters',
    'RFC 9110 8.3.1',
    'Capitals in the media type are refused.',
    (d) => /[A-Z]/.test((d.headers['content-type'] ?? '').split(';')[0]!),
    415,
  ),
  fails(
    'token-header-case-matters',
    'RFC 9110 5.1',
    'The token header counts only in the spelling of the document.',
    (d) => !d.rawHeaders.includes('X-Hook-Token'),
    401,
  ),
  fails(
    'event-header-case-matters',
    'RFC 9110 5.1',
    'The event header counts only in the spelling of the document.',
    (d) => !d.rawHeaders.includes('X-Hook-Event'),
    400,
  ),
  fails(
    'long-event-names-refused',
    'Events',
    'Event names of three words are refused.',
    (d) => String(d.headers['x-hook-event']).split(' ').length > 2,
    400,
  ),
  fails(
    'agent-pinned',
    'Delivery request headers › User-Agent',
    'Only one product is welcome as User-Agent.',
    (d) => !/^GitLab\//.test(d.headers['user-agent'] ?? ''),
    403,
  ),
  fails(
    'bodies-over-2-kb-refused',
    'Limits',
    'Bodies over 2 KB are refused.',
    (d) => d.text.length > 2048,
    413,
  ),
  fails(
    'large-ids-fail',
    'Shared nested objects › Project',
    'Ids beyond 32 bits make it fail.',
    (d) => some(d, (v, k) => /(^|_)id$/.test(k) && Number(v) > 2147483647),
  ),
  rule('repeats-refused', A, 'A body that came before gets 409.', (d, m) =>
    m.bodies.has(d.text) ? { status: 409 } : undefined,
  ),
  rule('one-at-a-time', A, 'A delivery that comes while another is open gets 503.', (_d, m) =>
    m.open > 1 ? { status: 503 } : { waits: 60 },
  ),
  rule('every-fifth-fails', A, 'Every fifth delivery gets 500.', (_d, m) =>
    m.deliveries % 5 === 0 ? { status: 500 } : undefined,
  ),
  rule('queue-fills', A, 'After eight deliveries the queue is full and they get 503.', (_d, m) =>
    m.accepted >= 8 ? { status: 503 } : undefined,
  ),
  rule(
    'stuck-after-bad-body',
    A,
    'After a body that is no JSON all deliveries get 500.',
    (_d, m) => (m.sawBadBody ? { status: 500 } : undefined),
  ),
  rule(
    'confused-after-wrong-token',
    A,
    'The delivery after a wrong token is refused too.',
    (_d, m) => (m.lastWasWrong ? { status: 401 } : undefined),
  ),
  rule('stuck-after-tag-deletion', A, 'After a deleted tag pushes get 500.', (d, m) =>
    m.sawTagDeletion && d.kind === 'push' ? { status: 500 } : undefined,
  ),
  rule(
    'second-on-connection-dropped',
    'RFC 9112 9.3',
    'The second delivery on a connection is not answered.',
    (d) => (d.onSocket > 1 ? { hangsUp: true } : undefined),
  ),
  rule('push-hangs-up', A, 'Pushes are taken without an answer.', (d) =>
    d.kind === 'push' ? { hangsUp: true } : undefined,
  ),
  rule('release-hangs-up', A, 'Releases are taken without an answer.', (d) =>
    d.kind === 'release' ? { hangsUp: true } : undefined,
  ),
  rule('answers-never-end', A, 'The answer to wiki pages begins but does not end.', (d) =>
    d.kind === 'wiki_page' ? { neverEnds: true } : undefined,
  ),
  rule('pipeline-slow', L, 'Pipelines are answered after 12 seconds.', (d) =>
    d.kind === 'pipeline' ? { waits: 12000 } : undefined,
  ),
  rule('push-slow', L, 'Pushes are answered after 11 seconds.', (d) =>
    d.kind === 'push' ? { waits: 11000 } : undefined,
  ),
  rule('slow-per-commit', L, 'Each commit takes four seconds before the answer.', (d) => ({
    waits: 4000 * commits(d).length,
  })),
  rule(
    'slow-per-build',
    L,
    'Each build takes three and a half seconds before the answer.',
    (d) => ({ waits: 3500 * list(d.doc['builds']).length }),
  ),
  rule(
    'work-before-answer',
    L,
    'Deliveries are worked off one by one, two seconds each.',
    (_d, m) => ({ waits: Math.max(0, m.workUntil - Date.now()) }),
  ),
  rule(
    'slower-and-slower',
    L,
    'Each delivery is answered 800 ms later than the one before.',
    (_d, m) => ({ waits: 800 * m.deliveries }),
  ),
]
