import { createHash } from 'node:crypto'
import { percentDecode } from '../../percent.ts'
import { valueOf, type Pairs } from './fields.ts'
import type { IdentityAuthorization, IdentityTokenRequest } from './records.ts'

/**
 * Reads the credentials of a client from the Authorization header (Basic) or, without this header,
 * from the form. The client id alone is not a credential.
 */
export function credentialsOf(
  fields: Pairs,
  authorization = '',
): Pick<IdentityTokenRequest, 'clientId' | 'clientSecret' | 'credentialsIn'> {
  const basic = /^basic +(\S+)\s*$/i.exec(authorization)?.[1]
  if (basic !== undefined) {
    const pair = Buffer.from(basic, 'base64').toString('utf8')
    const colon = pair.indexOf(':')
    return {
      credentialsIn: valueOf(fields, 'client_secret') === undefined ? 'basic' : 'both',
      clientId: decodeFormValue(colon === -1 ? pair : pair.slice(0, colon)),
      clientSecret: colon === -1 ? undefined : decodeFormValue(pair.slice(colon + 1)),
    }
  }
  const [clientId, clientSecret] = [valueOf(fields, 'client_id'), valueOf(fields, 'client_secret')]
  return {
    clientId,
    clientSecret,
    credentialsIn: clientId === undefined && clientSecret === undefined ? 'nothing' : 'body',
  }
}

/**
 * Decodes the client id or the secret from the Authorization header. Both are form-encoded (RFC
 * 6749 §2.3.1), but some clients do not encode them. A value that cannot be decoded is therefore
 * returned unchanged.
 */
const decodeFormValue = (part: string): string => percentDecode(part.replaceAll('+', ' '))

/**
 * Returns the status of the response to a token request, and in `problem` the error code. `problem`
 * is undefined if a token is issued. A code is valid once, with the verifier that matches its
 * challenge, and with no other redirect URI than that of the authorization request. It may be
 * missing: OAuth 2.1 no longer requires it here.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3
 */
export function tokenProblem(
  fields: Pairs,
  authorization: IdentityAuthorization | undefined,
): { problem: string | undefined; status: number } {
  const grant = valueOf(fields, 'grant_type')
  if (grant !== undefined && grant !== 'authorization_code')
    return { problem: 'unsupported_grant_type', status: 400 }
  const redirectUri = valueOf(fields, 'redirect_uri')
  if (
    authorization === undefined ||
    (redirectUri !== undefined && redirectUri !== authorization.redirectUri) ||
    authorization.tokenRequests.some(({ token }) => token !== undefined) ||
    !verifiesChallenge(authorization.query, valueOf(fields, 'code_verifier'))
  )
    return { problem: 'invalid_grant', status: 400 }
  if (authorization.mode === 'error with status 400')
    return { problem: 'invalid_grant', status: 400 }
  return authorization.mode === 'error with status 200'
    ? { problem: 'bad_verification_code', status: 200 }
    : { problem: undefined, status: 200 }
}

function verifiesChallenge(query: Pairs, verifier: string | undefined): boolean {
  const challenge = valueOf(query, 'code_challenge')
  if (challenge === undefined) return true
  if (verifier === undefined) return false
  return (
    challenge ===
    ((valueOf(query, 'code_challenge_method') ?? 'plain') === 'S256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier)
  )
}
