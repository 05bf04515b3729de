import type { Reply } from '../http/reply.ts'
import { redirectWithCode } from './grant.ts'
import type { Realm } from './realm.ts'
import type { PendingAuthorization, ResourceOwner } from './records.ts'
import { redirectUpstream } from './upstream-login.ts'

/**
 * Continues an authorization request that the user allowed: with a code, or with the login at the
 * upstream identity provider.
 */
export async function proceedAfterApproval(
  realm: Realm,
  pending: PendingAuthorization,
  owner: ResourceOwner | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  const { identity, audit } = realm
  if (identity.kind === 'upstream' || owner === undefined)
    return redirectUpstream(realm, pending, headers)
  audit.record({
    event: 'consent',
    outcome: 'done',
    client: pending.request.clientId,
    user: owner.login,
  })
  return redirectWithCode(realm, pending, owner, headers)
}
