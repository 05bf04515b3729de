// Bugs of the calls: authentication, isolation, test calls.
import { violation as v } from './make.mjs'

const AUTH = 'Authentication'
const CALLS = 'Calls to the hook API carry the header PRIVATE-TOKEN: <ACCESS_TOKEN>'
const TEST = 'Endpoints: test call'
const TESTS = 'A hook can be tested on demand'
const PATH = 'POST /projects/{id}/hooks/{hook_id}/test/{event}'
const auth = (name, does, check, breaks = CALLS) => v(name, AUTH, does, breaks, { auth: check })
const test = (name, does, breaks, stages) => v(name, TEST, does, breaks, stages)

export const apiBugs = [
  auth(
    'any-token-accepted',
    'any token that is not empty is accepted',
    (ok, c) => ok || Boolean(c.given),
  ),
  auth(
    'empty-token-accepted',
    'an empty PRIVATE-TOKEN is accepted',
    (ok, c) => ok || c.given === '',
  ),
  auth(
    'creation-needs-no-token',
    'a hook can be created without a token',
    (ok, c) =>
      ok || (c.given === undefined && c.place.what === 'list' && c.place.method === 'POST'),
  ),
  auth(
    'test-needs-no-token',
    'a hook can be tested without a token',
    (ok, c) => ok || (c.given === undefined && c.place.what === 'test'),
  ),
  auth(
    'start-of-token-suffices',
    'the first eight characters of the token are enough',
    (ok, c) => ok || (c.given?.length >= 8 && c.token.startsWith(c.given)),
  ),
  auth(
    'token-with-tail-accepted',
    'a token followed by further characters is accepted',
    (ok, c) => ok || Boolean(c.given?.startsWith(c.token)),
  ),
  auth(
    'token-compared-without-case',
    'the token is compared without regard to case',
    (ok, c) => ok || c.given?.toLowerCase() === c.token.toLowerCase(),
  ),
  auth(
    'token-refused-in-second-project',
    'the token is refused in the other project',
    (ok, c) => ok && c.project !== c.env.second,
  ),
  auth(
    'token-refused-for-tests',
    'test calls with the token are refused',
    (ok, c) => ok && c.place.what !== 'test',
  ),
  auth(
    'project-in-path-trusted-by-length',
    'in the other project a wrong token of the right length is accepted',
    (ok, c) => ok || (c.project === c.env.second && c.given?.length === c.token.length),
  ),
  auth(
    'locked-after-a-wrong-token',
    'after a wrong token the next call with the right one is refused',
  ),
  auth(
    'connection-trusted-after-first-call',
    'on a kept connection only the first call needs a token',
  ),
  auth(
    'header-name-case-sensitive',
    'only PRIVATE-TOKEN and private-token are recognised, not Private-Token',
    undefined,
    'RFC 9110 5.1: field names are case-insensitive',
  ),
  auth(
    'refused-creation-still-creates',
    'a creation with a wrong token is refused, but the hook is there',
  ),
  auth('refused-test-still-delivers', 'a test call with a wrong token is refused, but delivers'),
  auth(
    'refusal-401-without-challenge',
    '401 comes without WWW-Authenticate',
    undefined,
    'RFC 9110 15.5.2: a 401 must have a WWW-Authenticate header',
  ),

  v(
    'served-as-v3',
    'Endpoints',
    'the API root is /api/v3',
    'path includes the version segment v4',
    {
      prefix: (p) => p.replace('v4', 'v3'),
    },
  ),
  v(
    'version-before-api',
    'Endpoints',
    'the API root is /v4/api',
    'version segment v4 preceded by an api segment',
    {
      prefix: (p) => p.replace('api/v4', 'v4/api'),
    },
  ),
  v(
    'error-html-declared-as-json',
    'Errors',
    'error bodies are HTML but declared as JSON',
    'RFC 9110 8.3: Content-Type is the media type of the content',
  ),
  v(
    'refusal-405-without-allow',
    'Endpoints',
    '405 comes without Allow',
    'RFC 9110 15.5.6: 405 must have Allow',
  ),

  test('test-sends-nothing', 'a test call succeeds but sends nothing', TESTS),
  test('second-test-sends-nothing', 'only the first test call of a hook sends something', TESTS),
  test('test-delivers-twice', 'a test call sends two deliveries', TESTS),
  test('test-goes-to-first-hook', 'a test call goes to the first hook of the project', PATH),
  test('test-goes-to-all-hooks', 'a test call goes to all hooks of the project', PATH),
  test(
    'test-finds-hooks-of-other-projects',
    "a test call under the other project's path finds the hook",
    PATH,
  ),
  test(
    'test-of-unknown-hook-succeeds',
    'a test call of an unknown hook is answered with 201',
    'RFC 9110 15.3: 2xx says that the request was successfully received, understood, and accepted',
  ),
  test('get-of-test-delivers', 'GET of the test path delivers too', 'RFC 9110 9.2.1: GET is safe'),
  test('test-without-body-refused', 'a test call without a body is refused', 'Request: no body'),
  test(
    'test-without-token',
    'a test delivery has no X-Hook-Token',
    'X-Hook-Token: the secret token of the hook',
    {
      headers(h, c) {
        if (c.test) delete h['X-Hook-Token']
      },
    },
  ),
  test(
    'test-headed-test-hook',
    'a test delivery says X-Hook-Event: Test Hook',
    'Push | Push Hook',
    {
      headers(h, c) {
        if (c.test) h['X-Hook-Event'] = 'Test Hook'
      },
    },
  ),
  test(
    'test-without-user-agent',
    'a test delivery has no User-Agent',
    'User-Agent: <product>/<version>',
    {
      headers(h, c) {
        if (c.test) delete h['User-Agent']
      },
    },
  ),
  test('test-kind-is-test', 'object_kind of a test delivery is test', 'Push | Push Hook | push', {
    payload(p, c) {
      if (c.test) p.object_kind = 'test'
    },
  }),
  test('test-commits-null', 'commits of a test push is null', 'commits (array of Commit)', {
    payload(p, c) {
      if (c.test && c.event === 'push') p.commits = null
    },
  }),
  test('test-ids-as-text', 'project id of a test push is text', 'Project: id (integer)', {
    payload(p, c) {
      if (c.test && c.event === 'push') p.project.id = 'sample'
    },
  }),
  test(
    'test-of-push-sends-tag-push',
    'a test of push_events says tag_push in the body',
    'object_kind, event_name (both push)',
    {
      payload(p, c) {
        if (c.test && c.event === 'push')
          Object.assign(p, { object_kind: 'tag_push', event_name: 'tag_push' })
      },
    },
  ),
  test('test-body-empty', 'a test delivery has an empty body', 'HTTP POST with a JSON body', {
    body: (text, c) => (c.test ? '' : undefined),
  }),
  test('test-is-a-get', 'a test delivery is a GET', 'the service sends an HTTP POST', {
    request(r, c) {
      if (c.test) r.method = 'GET'
    },
  }),
  test(
    'test-drops-the-query',
    'a test delivery drops the query of the url',
    'to the URL set in a hook',
    {
      request(r, c) {
        if (c.test) r.path = (url) => url.pathname
      },
    },
  ),
  test(
    'test-not-verified',
    'a test delivery does not verify the certificate',
    'enable_ssl_verification makes the service verify the certificate',
    {
      request(r, c) {
        if (c.test) r.verify = false
      },
    },
  ),
]
