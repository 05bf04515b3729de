// Bugs of the request headers of deliveries.
import { createHash } from 'node:crypto'
import { violation as v } from './make.mjs'

const WHERE = 'Delivery request headers'
const TOKEN = 'X-Hook-Token: the secret token of the hook'
const NONE = 'X-Hook-Token: present only when a token is configured'
const AGENT = 'User-Agent: <product>/<version>'
const KIND = 'X-Hook-Event: event type name'
const head = (name, does, breaks, headers) => v(name, WHERE, does, breaks, { headers })
const T = 'X-Hook-Token'
const E = 'X-Hook-Event'
const token = (name, does, change) =>
  head(name, does, TOKEN, (h, c) => {
    if (h[T]) h[T] = change(h[T], c)
  })
const without = (name, does, when) =>
  head(name, does, TOKEN, (h, c) => {
    if (when(c)) delete h[T]
  })
const none = (name, does, value) =>
  head(name, does, NONE, (h, c) => {
    if (!h[T]) h[T] = value(c)
  })
const kind = (name, event, wrong, right, actions) =>
  v(
    name,
    'Events',
    `${event} events say X-Hook-Event: ${wrong}${actions ? ` (${actions})` : ''}`,
    `X-Hook-Event value: ${right}`,
    {
      headers(h, c) {
        if (c.event === event && (!actions || actions.includes(c.action))) h[E] = wrong
      },
    },
  )

export const headerBugs = [
  token('token-hashed', 'the token is sent as its SHA-256', (t) =>
    createHash('sha256').update(t).digest('hex'),
  ),
  token('token-in-base64', 'the token is sent in Base64', (t) => Buffer.from(t).toString('base64')),
  token('token-percent-encoded', 'the token is sent percent-encoded', (t) => encodeURIComponent(t)),
  token('token-in-quotes', 'the token is sent in quotation marks', (t) => `"${t}"`),
  token('token-after-bearer', 'the token is sent after "Bearer "', (t) => `Bearer ${t}`),
  token('token-masked', 'the token is sent as asterisks', (t) => t.replace(/./g, '*')),
  token(
    'token-non-ascii-as-question-marks',
    'characters outside of ASCII in the token become ?',
    (t) => t.replace(/[^ -~]/g, '?'),
  ),
  token(
    'token-of-last-hook',
    'the token of the last hook of the project is sent to all',
    (t, c) => c.own.at(-1)?.config.token || t,
  ),
  token(
    'token-of-first-project',
    'the token of the first hook of the first project is sent in the second',
    (t, c) => (c.project === c.second && c.sender.store.of(c.first)[0]?.config.token) || t,
  ),
  head('token-header-twice', 'the token header is sent twice', TOKEN, (h) => {
    if (h[T]) h[T] = [h[T], h[T]]
  }),
  head('token-header-misnamed', 'the header is called X-Hook-Secret', TOKEN, (h) => {
    if (!h[T]) return
    h['X-Hook-Secret'] = h[T]
    delete h[T]
  }),
  without(
    'token-missing-for-tag-push',
    'tag push deliveries have no token',
    (c) => c.event === 'tag',
  ),
  without(
    'token-missing-for-releases',
    'release deliveries have no token',
    (c) => c.event === 'release',
  ),
  without(
    'token-missing-from-second-delivery',
    'only the first delivery of a hook has the token',
    (c) => c.nth > 1,
  ),
  without(
    'token-missing-for-second-hook',
    'hooks after the first of a project get no token',
    (c) => c.index > 0,
  ),
  without('token-missing-over-https', 'deliveries to https have no token', (c) =>
    c.config.url.startsWith('https'),
  ),
  without(
    'token-missing-without-verification',
    'no token is sent when verification is off',
    (c) => !c.config.enable_ssl_verification,
  ),
  without(
    'token-missing-for-wiki-updates',
    'updates of wiki pages have no token',
    (c) => c.event === 'wiki' && c.action === 'update',
  ),
  none('token-empty-when-none', 'without a token the header is sent empty', () => ''),
  none('token-null-when-none', 'without a token the header says null', () => 'null'),
  none(
    'access-token-when-none',
    'without a token the access token is sent',
    (c) => c.sender.accessToken,
  ),
  none(
    'neighbour-token-when-none',
    'without a token the token of another hook of the project is sent',
    (c) => c.own.find((h) => h.config.token)?.config.token || '',
  ),

  head('user-agent-missing', 'no User-Agent is sent', AGENT, (h) => {
    delete h['User-Agent']
  }),
  head('user-agent-without-version', 'User-Agent is a product only', AGENT, (h) => {
    h['User-Agent'] = 'Repository-Hooks'
  }),
  head('user-agent-with-space', 'product and version are separated by a space', AGENT, (h) => {
    h['User-Agent'] = 'Repository-Hooks 4.2.1'
  }),
  head('user-agent-version-empty', 'the version is empty', AGENT, (h) => {
    h['User-Agent'] = 'Repository-Hooks/'
  }),
  head('user-agent-product-with-space', 'the product has a space in it', AGENT, (h) => {
    h['User-Agent'] = 'Repository Hooks/4.2.1'
  }),
  head('user-agent-missing-for-jobs', 'job deliveries have no User-Agent', AGENT, (h, c) => {
    if (c.event === 'job') delete h['User-Agent']
  }),

  head('event-header-missing', 'no X-Hook-Event is sent', KIND, (h) => {
    delete h[E]
  }),
  head('event-header-as-flag', 'X-Hook-Event is the name of the flag', KIND, (h, c) => {
    h[E] = c.flag
  }),
  head('event-header-as-kind', 'X-Hook-Event is the object_kind', KIND, (h, c) => {
    h[E] = c.payload.object_kind
  }),
  head('event-header-with-action', 'X-Hook-Event has the action after it', KIND, (h, c) => {
    h[E] = `${c.title} (${c.action})`
  }),
  head(
    'event-header-of-previous',
    'X-Hook-Event is the one of the previous delivery to the hook',
    KIND,
    (h, c) => {
      const previous = c.hook.lastTitle
      c.hook.lastTitle = c.title
      if (previous) h[E] = previous
    },
  ),
  kind('tag-push-headed-push', 'tag', 'Push Hook', 'Tag Push Hook'),
  kind('tag-delete-headed-push', 'tag', 'Push Hook', 'Tag Push Hook', ['delete']),
  kind('merge-headed-in-short', 'merge', 'MR Hook', 'Merge Request Hook'),
  kind('merge-headed-with-hyphen', 'merge', 'Merge-Request Hook', 'Merge Request Hook', [
    'merge',
    'close',
  ]),
  kind('job-headed-build', 'job', 'Build Hook', 'Job Hook'),
  kind('pipeline-headed-in-lower-case', 'pipeline', 'pipeline hook', 'Pipeline Hook'),
  kind('deployment-headed-deploy', 'deployment', 'Deploy Hook', 'Deployment Hook'),
  kind('wiki-headed-wiki', 'wiki', 'Wiki Hook', 'Wiki Page Hook'),
  kind('release-headed-releases', 'release', 'Releases Hook', 'Release Hook'),
  kind('issue-update-headed-note', 'issue', 'Note Hook', 'Issue Hook', ['update']),
  kind('branch-headed-branch-hook', 'push', 'Branch Hook', 'Push Hook', ['create', 'delete']),
]
