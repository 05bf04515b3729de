import { randomUUID } from 'node:crypto'
import type { Reply } from '../http/reply.ts'
import { expiryIn, redirectToClient, type Realm } from './realm.ts'
import type { PendingAuthorization, ResourceOwner } from './records.ts'
import { digestOf } from './seal.ts'

/** The key under which a user's consent to a client is stored. */
export const consentKey = ({ id }: { id: string }, { login }: ResourceOwner): string =>
  `allowed ${digestOf(`${id} ${login}`)}`

/** Redirects the user to the client with a code. */
export async function redirectWithCode(
  realm: Realm,
  { request }: PendingAuthorization,
  owner: ResourceOwner,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { vault, rules, choices } = realm
  const { clientId, scopes, requestedScopes, resources } = request
  const { redirectUri, hasRedirectUri, challenge, method } = request
  const grantId = randomUUID()
  const grant = { id: grantId, clientId, login: owner.login, ended: false }
  const grantExpiresAt = expiryIn(
    realm,
    rules.codeSeconds + Math.max(rules.accessSeconds, rules.refreshSeconds),
  )
  await vault.put('grant', grantId, grant, grantExpiresAt)
  const consent = consentKey({ id: clientId }, owner)
  const lastGrantKey = `last ${consent}`
  if (choices.previousGrants === 'end')
    await endGrant(realm, (await vault.get('grant', lastGrantKey))?.id ?? '')
  await vault.put('grant', lastGrantKey, grant, grantExpiresAt)
  // A copy of the grant under the key `consent` records all scopes that the user has ever allowed
  // this client.
  const allowed = (await vault.get('grant', consent))?.scopes ?? []
  await vault.put(
    'grant',
    consent,
    { ...grant, id: consent, scopes: [...new Set([...allowed, ...scopes])] },
    grantExpiresAt,
  )
  const code = rules.newSecret('code')
  const expiresAt = expiryIn(realm, rules.codeSeconds)
  await vault.put(
    'code',
    code,
    {
      grantId,
      clientId,
      owner,
      scopes,
      requestedScopes,
      resources,
      redirectUri,
      hasRedirectUri,
      expiresAt,
      used: false,
      ...(challenge === undefined || method === undefined ? {} : { challenge, method }),
    },
    grantExpiresAt,
  )
  return redirectToClient(realm, request, { code }, headers)
}

/** Ends a grant, and with it all its tokens. */
export async function endGrant({ vault }: Realm, grantId: string): Promise<void> {
  const grant = await vault.get('grant', grantId)
  if (grant !== undefined) await vault.put('grant', grantId, { ...grant, ended: true })
}
