import { randomUUID } from 'node:crypto'
import type { Reply } from '../http/reply.ts'
import { expiryIn, redirectToClient, type Realm } from './realm.ts'
import type { PendingAuthorization, ResourceOwner } from './records.ts'
import { digestOf } from './seal.ts'

/** The key of the record that a user has allowed a client. */
export const consentKey = ({ id }: { id: string }, { login }: ResourceOwner): string =>
  `allowed ${digestOf(`${id} ${login}`)}`

/** Redirects the user to the client with a code. */
export async function redirectWithCode(
  realm: Realm,
  { request }: PendingAuthorization,
  subject: ResourceOwner,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { vault, rules, choices } = realm
  const { clientId, scopes, resources, redirectUri, hasRedirectUri, challenge, method } = request
  const grantId = randomUUID()
  const grant = { id: grantId, clientId, login: subject.login, ended: false }
  const lastUse = expiryIn(
    realm,
    rules.codeSeconds + Math.max(rules.accessSeconds, rules.refreshSeconds),
  )
  await vault.put('grant', grantId, grant, lastUse)
  const allowed = consentKey({ id: clientId }, subject)
  const previous = `last ${allowed}`
  if (choices.previousGrants === 'end')
    await endGrant(realm, (await vault.get('grant', previous))?.id ?? '')
  await vault.put('grant', previous, grant, lastUse)
  await vault.put('grant', allowed, { ...grant, id: allowed }, lastUse)
  const code = rules.newSecret('code')
  const expiresAt = expiryIn(realm, rules.codeSeconds)
  await vault.put(
    'code',
    code,
    {
      grantId,
      clientId,
      subject,
      scopes,
      resources,
      redirectUri,
      hasRedirectUri,
      expiresAt,
      used: false,
      ...(challenge === undefined || method === undefined ? {} : { challenge, method }),
    },
    lastUse,
  )
  return redirectToClient(realm, request, { code }, headers)
}

/** Ends a grant, and with it all its tokens. */
export async function endGrant({ vault }: Realm, grantId: string): Promise<void> {
  const grant = await vault.get('grant', grantId)
  if (grant !== undefined) await vault.put('grant', grantId, { ...grant, ended: true })
}
