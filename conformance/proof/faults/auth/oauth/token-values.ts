import { createHash } from 'node:crypto'
import { swapCase } from './swap-case.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  asProvider,
  fault,
  onHttpRequest,
  onReply,
  pathOf,
  replaceRules,
  type MakeAuthDeviation,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { onTokenRefusal, onTokenReply, tokenReply, withErrorCode } from './token-replies.ts'

/** Replaces the secrets of one kind with shorter or guessable values. */
const newSecretsOf = (
  wanted: 'code' | 'access' | 'refresh',
  make: (secret: string, count: number) => string,
): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    let count = 0
    return {
      oauth: {
        newSecret(kind) {
          const secret = defaultRules.newSecret(kind)
          if (kind !== wanted) return secret
          hit()
          return make(secret, (count += 1))
        },
      },
    }
  })

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Compares challenges after `simplify`. */
const compareChallenges = (simplify: (challenge: string) => string): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isVerifierCorrect: (code, verifier) =>
        defaultRules.isVerifierCorrect(code, verifier) ||
        (code.challenge !== undefined &&
          verifier !== undefined &&
          simplify(challengeOf(verifier)) === simplify(code.challenge)),
    },
  })

/** Changes the challenge of a refused Basic credential. */
const basicChallenge = (challenge: string): MakeAuthDeviation =>
  onReply((reply, { incoming }, endpoint) =>
    endpoint === 'token' && reply.status === 401 && incoming.headers.authorization !== undefined
      ? { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': challenge } }
      : undefined,
  )

/** Issues a token for GET requests whose query has this grant type. */
const tokenByGet = (grantType: string): MakeAuthDeviation =>
  onHttpRequest((request, response, hit) => {
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
    if (
      request.method !== 'GET' ||
      pathOf(request) !== '/token' ||
      query.get('grant_type') !== grantType
    )
      return
    hit()
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify(tokenReply({ status: 200 }).body))
    return true
  })

/** Compares the verifier with the challenge of the latest request of the client. */
const useLatestChallenge: MakeAuthDeviation = replaceRules((_rules, hit) => {
  const latest = new Map<string, string | undefined>()
  return {
    oauth: {
      pkceProblem(challenge, method, client, choices) {
        latest.set(client.id, challenge)
        return defaultRules.pkceProblem(challenge, method, client, choices)
      },
      isVerifierCorrect(code, verifier) {
        const challenge = latest.get(code.clientId)
        if (challenge !== code.challenge) hit()
        const { challenge: _, ...others } = code
        return defaultRules.isVerifierCorrect(
          challenge === undefined ? others : { ...others, challenge },
          verifier,
        )
      },
    },
  }
})

/** Faults in the values that the token endpoint compares and issues. */
export const tokenValues: readonly AuthFault[] = [
  fault(
    'latest-challenge-of-a-client-counts',
    'Compares a verifier with the challenge of the latest request of its client.',
    ['AUTH-TOKEN-04'],
    useLatestChallenge,
  ),
  fault(
    'verifier-in-any-case',
    'Ignores case in a verifier.',
    ['AUTH-TOKEN-04'],
    replaceRules({
      oauth: {
        isVerifierCorrect: (code, verifier) =>
          defaultRules.isVerifierCorrect(code, verifier) ||
          defaultRules.isVerifierCorrect(code, verifier && swapCase(verifier)),
      },
    }),
  ),
  fault(
    'challenge-compared-by-its-beginning',
    'Compares only the first 16 characters of a challenge.',
    ['AUTH-TOKEN-04'],
    compareChallenges((challenge) => challenge.slice(0, 16)),
  ),
  fault(
    'challenge-in-any-case',
    'Ignores case in a challenge.',
    ['AUTH-TOKEN-04'],
    compareChallenges((challenge) => challenge.toLowerCase()),
  ),
  fault(
    'verifier-of-confidential-clients-is-not-compared',
    'Accepts any verifier of a client with a secret.',
    ['AUTH-TOKEN-04'],
    replaceRules((_rules, hit) => {
      const confidential = new Set<string>()
      return {
        oauth: {
          isClientSecret(client, secret) {
            confidential.add(client.id)
            return defaultRules.isClientSecret(client, secret)
          },
          isVerifierCorrect(code, verifier) {
            if (defaultRules.isVerifierCorrect(code, verifier)) return true
            const isAccepted = confidential.has(code.clientId) && verifier !== undefined
            if (isAccepted) hit()
            return isAccepted
          },
        },
      }
    }),
  ),
  fault(
    'secrets-of-all-clients',
    'Accepts the secret of any client.',
    ['AUTH-TOKEN-07'],
    replaceRules((_rules, hit) => {
      const secrets = new Set<string>()
      return {
        oauth: {
          newSecret(kind) {
            const secret = defaultRules.newSecret(kind)
            if (kind === 'secret') secrets.add(secret)
            return secret
          },
          isClientSecret(client, secret) {
            if (defaultRules.isClientSecret(client, secret)) return true
            const isAccepted = secrets.has(secret ?? '')
            if (isAccepted) hit()
            return isAccepted
          },
        },
      }
    }),
  ),
  fault(
    'basic-challenge-missing',
    'Sends no challenge for a wrong secret in the Authorization header.',
    ['AUTH-TOKEN-07'],
    basicChallenge(''),
  ),
  fault(
    'basic-challenge-of-another-scheme',
    'Sends the challenge Bearer for a wrong secret in the Authorization header.',
    ['AUTH-TOKEN-07'],
    basicChallenge('Bearer'),
  ),
  fault(
    'refresh-without-the-secret',
    'Refreshes tokens without the secret of the client.',
    ['AUTH-TOKEN-07'],
    onTokenRefusal(['client-not-authenticated'], (reply, _, form) =>
      form?.get('grant_type') === 'refresh_token' && form.get('client_secret') === undefined
        ? tokenReply(reply)
        : undefined,
    ),
  ),
  fault(
    'refresh-with-any-secret',
    'Refreshes tokens with any secret of the client.',
    ['AUTH-TOKEN-07'],
    onTokenRefusal(['client-not-authenticated'], (reply, _, form) =>
      form?.get('grant_type') === 'refresh_token' && form.get('client_secret') !== undefined
        ? tokenReply(reply)
        : undefined,
    ),
  ),
  fault(
    'lifetime-is-negative',
    'Returns -1 as the lifetime of a token.',
    ['AUTH-TOKEN-21'],
    onTokenReply((reply, members) => ({ ...reply, body: { ...members, expires_in: -1 } })),
  ),
  fault(
    'refreshed-scope-in-an-array',
    'Returns the scope of refreshed tokens as an array.',
    ['AUTH-TOKEN-26'],
    onTokenReply(
      (reply, members) => ({
        ...reply,
        body: { ...members, scope: String(members['scope'] ?? '').split(' ') },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'client-credentials-for-public-clients',
    'Issues tokens for client_credentials to clients without a secret.',
    ['AUTH-TOKEN-22'],
    onTokenRefusal(['grant-type-unsupported'], (reply, _, form) =>
      form?.get('grant_type') === 'client_credentials' ? tokenReply(reply) : undefined,
    ),
  ),
  fault(
    'client-credentials-are-500',
    'Returns 500 for client_credentials.',
    ['AUTH-TOKEN-22'],
    onTokenRefusal(['grant-type-unsupported'], (reply, members, form) =>
      form?.get('grant_type') === 'client_credentials'
        ? withErrorCode('server_error', 500)(reply, members)
        : undefined,
    ),
  ),
  fault(
    'codes-are-short',
    'Issues codes of a few characters.',
    ['AUTH-TOKEN-23'],
    newSecretsOf('code', (secret) => secret.slice(0, 12)),
  ),
  fault(
    'access-tokens-are-counted',
    'Issues consecutive numbers as access tokens.',
    ['AUTH-TOKEN-23'],
    newSecretsOf('access', (_, count) => `access-token-of-the-shelf-${1_000_000 + count}`),
  ),
  fault(
    'refresh-tokens-are-short',
    'Issues refresh tokens of a few characters.',
    ['AUTH-TOKEN-23'],
    newSecretsOf('refresh', (secret) => secret.slice(0, 8)),
  ),
  fault(
    'code-by-get',
    'Exchanges codes by GET.',
    ['AUTH-TOKEN-24'],
    tokenByGet('authorization_code'),
  ),
  fault(
    'refresh-by-get',
    'Exchanges refresh tokens by GET.',
    ['AUTH-TOKEN-24'],
    tokenByGet('refresh_token'),
  ),
  fault(
    'lifetime-too-long',
    'Declares a lifetime of one day for access tokens that expire earlier.',
    ['AUTH-TOKEN-25'],
    onTokenReply((reply, members) => ({
      ...reply,
      body: { ...members, expires_in: 24 * Number(members['expires_in']) },
    })),
  ),
  fault(
    'access-tokens-end-early',
    'Refuses access tokens after half of their lifetime.',
    ['AUTH-TOKEN-25'],
    asProvider(
      replaceRules({
        oauth: {
          isTokenValid: (token, now) =>
            now < token.issuedAt + (token.expiresAt - token.issuedAt) / 2,
        },
      }),
    ),
  ),
]
