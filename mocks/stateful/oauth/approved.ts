import type { Reply } from '../http/reply.ts'
import { withCode } from './grant.ts'
import type { Realm } from './realm.ts'
import type { Pending, ResourceOwner } from './records.ts'
import { toUpstream } from './upstream-login.ts'

/** What follows a request that its user allowed: a code, or first the way to the upstream identity provider. */
export async function approved(
  realm: Realm,
  pending: Pending,
  subject: ResourceOwner | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  const { identity, audit } = realm
  if (identity.kind === 'upstream' || subject === undefined)
    return toUpstream(realm, pending, headers)
  audit.note({
    event: 'consent',
    outcome: 'done',
    client: pending.request.clientId,
    user: subject.login,
  })
  return withCode(realm, pending, subject, headers)
}
