import { randomUUID } from 'node:crypto'
import type { Reply } from '../http/reply.ts'
import { inSeconds, sendBack, type Realm } from './realm.ts'
import type { Pending, Subject } from './records.ts'
import { digestOf } from './seal.ts'

/** The key under which it is remembered that a user has allowed a client. */
export const remembered = ({ id }: { id: string }, { login }: Subject): string => `allowed ${digestOf(`${id} ${login}`)}`

/** Sends the user back with a code. */
export async function withCode(realm: Realm, { request }: Pending, subject: Subject, headers: Record<string, string> = {}): Promise<Reply> {
  const { vault, rules } = realm
  const { clientId, scopes, resources, redirectUri, redirectGiven, challenge, method } = request
  const grantId = randomUUID()
  const grant = { id: grantId, clientId, login: subject.login, ended: false }
  const lastUse = inSeconds(realm, rules.codeSeconds + Math.max(rules.accessSeconds, rules.refreshSeconds))
  await vault.put('grant', grantId, grant, lastUse)
  const allowed = remembered({ id: clientId }, subject)
  await vault.put('grant', allowed, { ...grant, id: allowed }, lastUse)
  const code = rules.newSecret('code')
  const expiresAt = inSeconds(realm, rules.codeSeconds)
  await vault.put('code', code, {
    grantId, clientId, subject, scopes, resources, redirectUri, redirectGiven, expiresAt, used: false, ...(challenge === undefined || method === undefined ? {} : { challenge, method }),
  }, lastUse)
  return sendBack(realm, request, { code }, headers)
}
