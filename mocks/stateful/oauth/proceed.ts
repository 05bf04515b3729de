import type { Reply } from '../http/reply.ts'
import { sendBackWithCode } from './grant.ts'
import type { Realm } from './realm.ts'
import type { Pending, ResourceOwner } from './records.ts'
import { redirectUpstream } from './upstream-login.ts'

/**
 * Continues an authorization request that the user allowed: with a code, or with the login at the
 * upstream identity provider.
 */
export async function proceedAfterApproval(
  realm: Realm,
  pending: Pending,
  subject: ResourceOwner | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  const { identity, audit } = realm
  if (identity.kind === 'upstream' || subject === undefined)
    return redirectUpstream(realm, pending, headers)
  audit.note({
    event: 'consent',
    outcome: 'done',
    client: pending.request.clientId,
    user: subject.login,
  })
  return sendBackWithCode(realm, pending, subject, headers)
}
