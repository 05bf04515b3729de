import type { IncomingHttpHeaders } from 'node:http'
import { fault, onReply, pathOf, replaceRules } from '../building.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { openForMethod } from '../open-messages.ts'
import { inQuery, acceptInstead } from './accept-instead.ts'

const isAt =
  (path: string) =>
  (request: Parameters<typeof pathOf>[0]): boolean =>
    pathOf(request) === path
const hasSession = ({ headers }: Parameters<typeof pathOf>[0]): boolean =>
  headers['mcp-session-id'] !== undefined

/** Changes refusals of requests with a token, or without one. */
const changeRefusal = (
  which: 'with a token' | 'without',
  change: (reply: Reply, challenge: string) => Reply,
) =>
  onReply((reply, { incoming }, endpoint) =>
    endpoint === 'resource' &&
    (incoming.headers.authorization === undefined) === (which === 'without')
      ? change(reply, reply.headers?.['WWW-Authenticate'] ?? '')
      : undefined,
  )
const withChallenge = (reply: Reply, challenge: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'WWW-Authenticate': challenge },
})

/** The number of characters in which two strings of the same length differ. */
const distance = (one: string, other: string): number =>
  one.length === other.length
    ? [...one].filter((character, at) => character !== other[at]).length
    : Infinity

/** Faults of the protected endpoints. */
/** Places of tokens other than after the scheme Bearer: their names, and where they are. */
const misplacedTokens: readonly (readonly [
  slug: string,
  where: string,
  isThere: (headers: IncomingHttpHeaders, token: string) => boolean,
])[] = [
  ['alone', 'without a scheme', ({ authorization }, token) => authorization === token],
  [
    'with-the-scheme-token',
    'with the scheme Token',
    ({ authorization }, token) => authorization === `Token ${token}`,
  ],
  [
    'as-a-password',
    'as the password of Basic credentials',
    ({ authorization = '' }, token) =>
      Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
        .toString()
        .endsWith(`:${token}`),
  ],
  ['in-a-cookie', 'in a cookie', ({ cookie = '' }, token) => cookie.includes(`=${token}`)],
  [
    'in-another-header',
    'in the header X-Api-Key',
    (headers, token) => headers['x-api-key'] === token,
  ],
]

export const resource: readonly AuthFault[] = [
  fault(
    'tokens-in-any-case',
    'Ignores case in access tokens.',
    ['AUTH-RESOURCE-03'],
    replaceRules((_rules, hit) => {
      const issued = new Map<string, string>()
      return {
        oauth: {
          newSecret(kind) {
            const secret = defaultRules.newSecret(kind)
            if (kind === 'access') issued.set(secret.toLowerCase(), secret)
            return secret
          },
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            const known = issued.get(token?.toLowerCase() ?? '')
            if (known !== undefined && known !== token) hit()
            return known ?? token
          },
        },
      }
    }),
  ),
  fault(
    'tools-list-without-a-token',
    'Requires no token for tools/list.',
    ['AUTH-RESOURCE-02'],
    openForMethod('tools/list'),
  ),
  fault(
    'ping-without-a-token-in-sessions',
    'Requires no token for ping in a session.',
    ['AUTH-RESOURCE-07'],
    openForMethod('ping', true),
  ),
  fault(
    'tokens-do-not-open-sse',
    'Accepts tokens only for Streamable HTTP.',
    ['AUTH-RESOURCE-01'],
    replaceRules({
      oauth: {
        isTokenForResource: (token, where) =>
          where.endsWith('/mcp') && defaultRules.isTokenForResource(token, where),
      },
    }),
  ),
  fault(
    'tokens-do-not-open-mcp',
    'Accepts tokens only for HTTP+SSE.',
    ['AUTH-RESOURCE-01'],
    replaceRules({
      oauth: {
        isTokenForResource: (token, where) =>
          where.endsWith('/sse') && defaultRules.isTokenForResource(token, where),
      },
    }),
  ),
  fault(
    'tokens-are-refused',
    'Refuses every token.',
    ['AUTH-RESOURCE-01'],
    replaceRules({ oauth: { isTokenForResource: () => false } }),
  ),
  ...misplacedTokens.map(([slug, where, isThere]) =>
    fault(
      `token-${slug}-is-accepted`,
      `Accepts a token ${where}.`,
      ['AUTH-RESOURCE-11'],
      acceptInstead(
        (token, { headers }, { access }) =>
          token === undefined && access.some((one) => isThere(headers, one)),
      ),
    ),
  ),
  fault(
    'missing-token-is-accepted',
    'Serves requests without a token.',
    ['AUTH-RESOURCE-02'],
    acceptInstead((token) => token === undefined),
  ),
  fault(
    'sse-without-a-token',
    'Opens SSE streams without a token.',
    ['AUTH-RESOURCE-02'],
    acceptInstead((token, request) => token === undefined && isAt('/sse')(request)),
  ),
  fault(
    'only-posts-need-a-token',
    'Requires a token only for POST.',
    ['AUTH-RESOURCE-02'],
    acceptInstead((token, { method }) => token === undefined && method !== 'POST'),
  ),
  fault(
    'delete-without-a-token',
    'Requires no token for DELETE.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((token, { method }) => token === undefined && method === 'DELETE'),
  ),
  fault(
    'no-token-is-403',
    'Returns 403 for a request without a token.',
    ['AUTH-RESOURCE-02'],
    changeRefusal('without', (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'no-token-is-400',
    'Returns 400 for a request without a token.',
    ['AUTH-RESOURCE-02'],
    changeRefusal('without', (reply) => ({ ...reply, status: 400 })),
  ),
  fault(
    'no-challenge',
    'Returns no WWW-Authenticate header when it refuses a request without a token.',
    ['AUTH-RESOURCE-02'],
    changeRefusal('without', (reply) => withChallenge(reply, '')),
  ),
  fault(
    'challenge-with-an-error-for-no-token',
    'Returns the error invalid_token for a request without a token.',
    ['AUTH-RESOURCE-09'],
    changeRefusal('without', (reply, challenge) =>
      withChallenge(reply, `${challenge}, error="invalid_token"`),
    ),
  ),
  fault(
    'challenge-with-an-error-for-no-token-at-sse',
    'Returns the error invalid_request for a request to SSE without a token.',
    ['AUTH-RESOURCE-09'],
    onReply((reply, { incoming }, endpoint) =>
      endpoint === 'resource' &&
      incoming.headers.authorization === undefined &&
      isAt('/sse')(incoming)
        ? withChallenge(
            reply,
            `${reply.headers?.['WWW-Authenticate'] ?? 'Bearer'}, error="invalid_request"`,
          )
        : undefined,
    ),
  ),
  fault(
    'challenge-of-another-scheme',
    'Sends a Basic challenge although it expects a bearer token.',
    ['AUTH-RESOURCE-02'],
    changeRefusal('without', (reply) => withChallenge(reply, 'Basic realm="Bearer"')),
  ),
  fault(
    'any-token-is-accepted',
    'Accepts any token.',
    ['AUTH-RESOURCE-03'],
    acceptInstead((token) => token !== undefined),
  ),
  fault(
    'any-token-opens-sse',
    'Accepts any token for SSE streams.',
    ['AUTH-RESOURCE-03'],
    acceptInstead((token, request) => token !== undefined && isAt('/sse')(request)),
  ),
  fault(
    'any-token-deletes',
    'Accepts any token to end a session.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((token, { method }) => token !== undefined && method === 'DELETE'),
  ),
  fault(
    'token-may-be-changed',
    'Accepts tokens that differ from an issued one in one character.',
    ['AUTH-RESOURCE-03'],
    acceptInstead(
      (token, _, { access }) =>
        token !== undefined && access.some((one) => distance(one, token) === 1),
    ),
  ),
  fault(
    'token-may-be-cut',
    'Accepts the beginning of an issued token.',
    ['AUTH-RESOURCE-03'],
    acceptInstead(
      (token, _, { access }) =>
        token !== undefined && token.length > 20 && access.some((one) => one.startsWith(token)),
    ),
  ),
  fault(
    'token-may-be-longer',
    'Ignores characters after an access token.',
    ['AUTH-RESOURCE-03'],
    acceptInstead(
      (token, _, { access }) =>
        token !== undefined &&
        access.some((one) => token.length > one.length + 1 && token.startsWith(one)),
    ),
  ),
  fault(
    'invalid-token-crashes',
    'Returns 500 for unknown tokens.',
    ['AUTH-RESOURCE-03', 'AUTH-RESOURCE-04'],
    changeRefusal('with a token', (reply) => ({ ...reply, status: 500 })),
  ),
  fault(
    'invalid-token-is-403',
    'Returns 403 for unknown tokens.',
    ['AUTH-RESOURCE-04'],
    changeRefusal('with a token', (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'invalid-token-without-an-error-code',
    'Returns a challenge without an error for an unknown token.',
    ['AUTH-RESOURCE-04'],
    changeRefusal('with a token', (reply) => withChallenge(reply, 'Bearer')),
  ),
  fault(
    'invalid-token-as-invalid-request',
    'Reports an unknown token as invalid_request.',
    ['AUTH-RESOURCE-04'],
    changeRefusal('with a token', (reply, challenge) =>
      withChallenge(reply, challenge.replace('invalid_token', 'invalid_request')),
    ),
  ),
  fault(
    'token-in-query',
    'Accepts tokens in the query.',
    ['AUTH-RESOURCE-05'],
    replaceRules((_rules, hit) => ({
      oauth: {
        bearerTokenOf(request) {
          const found = defaultRules.bearerTokenOf(request)
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
    'Accepts tokens in the query of SSE requests.',
    ['AUTH-RESOURCE-05'],
    acceptInstead(
      (_, request, { access }) => isAt('/sse')(request) && access.includes(inQuery(request) ?? ''),
    ),
  ),
  fault(
    'token-in-query-of-messages',
    'Accepts tokens in the query of the message endpoint.',
    ['AUTH-RESOURCE-05'],
    acceptInstead(
      (_, request, { access }) =>
        isAt('/messages')(request) && access.includes(inQuery(request) ?? ''),
    ),
  ),
  fault(
    'code-is-a-token',
    'Accepts codes as access tokens.',
    ['AUTH-RESOURCE-06'],
    acceptInstead((token, _, { codes }) => codes.includes(token ?? '')),
  ),
  fault(
    'refresh-token-is-a-token',
    'Accepts refresh tokens as access tokens.',
    ['AUTH-RESOURCE-06'],
    acceptInstead((token, _, { refresh }) => refresh.includes(token ?? '')),
  ),
  fault(
    'secret-is-a-token',
    'Accepts client secrets as access tokens.',
    ['AUTH-RESOURCE-06'],
    acceptInstead((token, _, { secrets }) => secrets.includes(token ?? '')),
  ),
  fault(
    'sessions-without-a-token',
    'Requires a token only when a session begins.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((token, request) => token === undefined && hasSession(request)),
  ),
  fault(
    'sessions-accept-any-token',
    'Verifies the token only when a session begins.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((token, request) => token !== undefined && hasSession(request)),
  ),
  fault(
    'message-endpoint-without-a-token',
    'Accepts every message at the message endpoint of a stream, without verifying its token.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((_, request) => isAt('/messages')(request)),
  ),
  fault(
    'ending-a-session-without-a-token',
    'Requires no token for DELETE if the request contains a session id.',
    ['AUTH-RESOURCE-07'],
    acceptInstead(
      (token, request) => token === undefined && hasSession(request) && request.method === 'DELETE',
    ),
  ),
  fault(
    'scheme-is-case-sensitive',
    'Accepts the scheme only if it is written Bearer.',
    ['AUTH-RESOURCE-08'],
    replaceRules({
      oauth: {
        bearerTokenOf: (request) =>
          /^Bearer /.test(request.headers.authorization ?? '')
            ? defaultRules.bearerTokenOf(request)
            : undefined,
      },
    }),
  ),
  fault(
    'scheme-refused-in-capitals',
    'Accepts the scheme only if it is written Bearer or bearer.',
    ['AUTH-RESOURCE-08'],
    replaceRules({
      oauth: {
        bearerTokenOf: (request) =>
          /^[Bb]earer /.test(request.headers.authorization ?? '')
            ? defaultRules.bearerTokenOf(request)
            : undefined,
      },
    }),
  ),
]
