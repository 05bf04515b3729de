import { fault, onReply, pathOf, replaceRules } from '../building.ts'
import { defaultRules as right } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { inQuery, letsIn } from './standing.ts'

const isIn =
  (path: string) =>
  (request: Parameters<typeof pathOf>[0]): boolean =>
    pathOf(request) === path
const hasSession = ({ headers }: Parameters<typeof pathOf>[0]): boolean =>
  headers['mcp-session-id'] !== undefined

/** Changes refusals, where a token came, or where none did. */
const refusals = (
  whose: 'with a token' | 'without',
  change: (reply: Reply, challenge: string) => Reply,
) =>
  onReply((reply, { incoming }, endpoint) =>
    endpoint === 'resource' &&
    (incoming.headers.authorization === undefined) === (whose === 'without')
      ? change(reply, reply.headers?.['WWW-Authenticate'] ?? '')
      : undefined,
  )
const challenged = (reply: Reply, challenge: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'WWW-Authenticate': challenge },
})

/** How many characters two texts of one length differ in. */
const distance = (one: string, other: string): number =>
  one.length === other.length
    ? [...one].filter((character, at) => character !== other[at]).length
    : Infinity

/** Faults of the resource behind the tokens. */
export const resource: readonly AuthFault[] = [
  fault(
    'tokens-do-not-open-sse',
    'Gives tokens that are good for streamable HTTP only.',
    ['AUTH-RESOURCE-01'],
    replaceRules({
      oauth: { isFor: (token, where) => where.endsWith('/mcp') && right.isFor(token, where) },
    }),
  ),
  fault(
    'tokens-do-not-open-mcp',
    'Gives tokens that are good for server-sent events only.',
    ['AUTH-RESOURCE-01'],
    replaceRules({
      oauth: { isFor: (token, where) => where.endsWith('/sse') && right.isFor(token, where) },
    }),
  ),
  fault(
    'tokens-are-not-known',
    'Refuses every token.',
    ['AUTH-RESOURCE-01'],
    replaceRules({ oauth: { isFor: () => false } }),
  ),
  fault(
    'nobody-is-asked',
    'Serves whoever comes without a token.',
    ['AUTH-RESOURCE-02'],
    letsIn((token) => token === undefined),
  ),
  fault(
    'sse-asks-nobody',
    'Opens streams of server-sent events for whoever comes.',
    ['AUTH-RESOURCE-02'],
    letsIn((token, request) => token === undefined && isIn('/sse')(request)),
  ),
  fault(
    'only-posts-are-asked',
    'Asks for a token where something is posted, and nowhere else.',
    ['AUTH-RESOURCE-02'],
    letsIn((token, { method }) => token === undefined && method !== 'POST'),
  ),
  fault(
    'delete-asks-nobody',
    'Ends sessions without asking for a token.',
    ['AUTH-RESOURCE-07'],
    letsIn((token, { method }) => token === undefined && method === 'DELETE'),
  ),
  fault(
    'no-token-is-403',
    'Refuses with status 403 where there is no token.',
    ['AUTH-RESOURCE-02'],
    refusals('without', (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'no-token-is-400',
    'Refuses with status 400 where there is no token.',
    ['AUTH-RESOURCE-02'],
    refusals('without', (reply) => ({ ...reply, status: 400 })),
  ),
  fault(
    'no-challenge',
    'Refuses without saying how one gets in.',
    ['AUTH-RESOURCE-02'],
    refusals('without', (reply) => challenged(reply, '')),
  ),
  fault(
    'challenge-of-another-scheme',
    'Asks for a name and a password where it wants a token.',
    ['AUTH-RESOURCE-02'],
    refusals('without', (reply) => challenged(reply, 'Basic realm="Bearer"')),
  ),
  fault(
    'any-token-is-taken',
    'Serves whoever brings a token, whatever it is.',
    ['AUTH-RESOURCE-03'],
    letsIn((token) => token !== undefined),
  ),
  fault(
    'any-token-opens-sse',
    'Looks at no token where server-sent events are asked for.',
    ['AUTH-RESOURCE-03'],
    letsIn((token, request) => token !== undefined && isIn('/sse')(request)),
  ),
  fault(
    'any-token-deletes',
    'Looks at no token where a session is ended.',
    ['AUTH-RESOURCE-07'],
    letsIn((token, { method }) => token !== undefined && method === 'DELETE'),
  ),
  fault(
    'token-may-be-changed',
    'Takes tokens for another that differ in one character.',
    ['AUTH-RESOURCE-03'],
    letsIn(
      (token, _, { access }) =>
        token !== undefined && access.some((one) => distance(one, token) === 1),
    ),
  ),
  fault(
    'token-may-be-cut',
    'Takes the beginning of a token for the whole.',
    ['AUTH-RESOURCE-03'],
    letsIn(
      (token, _, { access }) =>
        token !== undefined && token.length > 20 && access.some((one) => one.startsWith(token)),
    ),
  ),
  fault(
    'invalid-token-crashes',
    'Answers 500 to tokens that it does not know.',
    ['AUTH-RESOURCE-03', 'AUTH-RESOURCE-04'],
    refusals('with a token', (reply) => ({ ...reply, status: 500 })),
  ),
  fault(
    'invalid-token-is-403',
    'Refuses tokens that it does not know with status 403.',
    ['AUTH-RESOURCE-04'],
    refusals('with a token', (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'invalid-token-is-not-named',
    'Does not say of a token that it is invalid.',
    ['AUTH-RESOURCE-04'],
    refusals('with a token', (reply) => challenged(reply, 'Bearer')),
  ),
  fault(
    'invalid-token-as-invalid-request',
    'Says of a token that it does not know that the request was invalid.',
    ['AUTH-RESOURCE-04'],
    refusals('with a token', (reply, challenge) =>
      challenged(reply, challenge.replace('invalid_token', 'invalid_request')),
    ),
  ),
  fault(
    'token-in-query',
    'Takes tokens out of the URL.',
    ['AUTH-RESOURCE-05'],
    replaceRules((_rules, hit) => ({
      oauth: {
        bearerOf(request) {
          const found = right.bearerOf(request)
          const other = inQuery(request)
          if (found !== undefined || other === undefined) return found
          hit()
          return other
        },
      },
    })),
  ),
  fault(
    'token-in-query-of-sse',
    'Takes tokens out of the URL where a browser opens a stream.',
    ['AUTH-RESOURCE-05'],
    letsIn(
      (_, request, { access }) => isIn('/sse')(request) && access.includes(inQuery(request) ?? ''),
    ),
  ),
  fault(
    'token-in-query-of-messages',
    'Takes tokens out of the URL of the message endpoint.',
    ['AUTH-RESOURCE-05'],
    letsIn(
      (_, request, { access }) =>
        isIn('/messages')(request) && access.includes(inQuery(request) ?? ''),
    ),
  ),
  fault(
    'code-is-a-token',
    'Takes codes for access tokens.',
    ['AUTH-RESOURCE-06'],
    letsIn((token, _, { codes }) => codes.includes(token ?? '')),
  ),
  fault(
    'refresh-token-is-a-token',
    'Takes refresh tokens for access tokens.',
    ['AUTH-RESOURCE-06'],
    letsIn((token, _, { refresh }) => refresh.includes(token ?? '')),
  ),
  fault(
    'secret-is-a-token',
    'Takes the secrets of clients for access tokens.',
    ['AUTH-RESOURCE-06'],
    letsIn((token, _, { secrets }) => secrets.includes(token ?? '')),
  ),
  fault(
    'sessions-are-not-asked',
    'Asks for a token when a session begins, and no more.',
    ['AUTH-RESOURCE-07'],
    letsIn((token, request) => token === undefined && hasSession(request)),
  ),
  fault(
    'sessions-take-any-token',
    'Looks at the token when a session begins, and no more.',
    ['AUTH-RESOURCE-07'],
    letsIn((token, request) => token !== undefined && hasSession(request)),
  ),
  fault(
    'message-endpoint-asks-nobody',
    'Takes messages from whoever knows where a stream gets them.',
    ['AUTH-RESOURCE-07'],
    letsIn((_, request) => isIn('/messages')(request)),
  ),
  fault(
    'ending-a-session-asks-nobody',
    'Ends a session for whoever knows its name.',
    ['AUTH-RESOURCE-07'],
    letsIn(
      (token, request) => token === undefined && hasSession(request) && request.method === 'DELETE',
    ),
  ),
  fault(
    'scheme-is-case-sensitive',
    'Knows the scheme as Bearer only.',
    ['AUTH-RESOURCE-08'],
    replaceRules({
      oauth: {
        bearerOf: (request) =>
          /^Bearer /.test(request.headers.authorization ?? '')
            ? right.bearerOf(request)
            : undefined,
      },
    }),
  ),
  fault(
    'scheme-may-not-shout',
    'Knows the scheme in two spellings only.',
    ['AUTH-RESOURCE-08'],
    replaceRules({
      oauth: {
        bearerOf: (request) =>
          /^[Bb]earer /.test(request.headers.authorization ?? '')
            ? right.bearerOf(request)
            : undefined,
      },
    }),
  ),
]
