import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../client.ts'
import type { Grant } from '../grant.ts'
import { members, refusedWith } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

// A server may revoke a client's earlier grants when a user approves the client again. So two
// checks never use the same client at the same time. If a check obtains several codes for a client,
// only the code that it obtains last must work.

/**
 * A client without a secret, which no other check uses at the same time. If clients cannot
 * register themselves, the client in the target file.
 */
export const ownClient = ({ leaseClient }: AuthWorld): Promise<Client> => leaseClient('none')

/**
 * Two clients with the same authentication method, to test that the second cannot use what was
 * issued to the first. Other checks may use the second client at the same time.
 */
export async function twoClients(
  world: AuthWorld,
  getOwnClient: (world: AuthWorld) => Promise<Client>,
): Promise<[Client, Client]> {
  const client = await getOwnClient(world)
  const other = await world.findOtherClient(client)
  if (other === undefined)
    throw new NotCovered<ToolsNeed>('there is only one client', ['tools.auth.registration'])
  if (client.id === other.id) throw new Blocked('AUTH-REGISTER-03', 'two clients have the same id')
  return [client, other]
}

/**
 * A client with a secret. No other check uses this client at the same time. Throws `NotApplicable`
 * if the server does not support the authentication method.
 */
export async function confidentialClient(
  world: AuthWorld,
  method: 'client_secret_post' | 'client_secret_basic' = 'client_secret_post',
): Promise<Client> {
  const { metadata } = await world.findEndpoints()
  const supported: unknown =
    metadata === undefined ? undefined : members(metadata)['token_endpoint_auth_methods_supported']
  // Servers must accept secrets in the body (OAuth 2.1 §2.4.1), so only the other method is looked
  // up in the metadata.
  if (method === 'client_secret_basic' && Array.isArray(supported) && !supported.includes(method))
    throw new NotApplicable(`the metadata does not list ${method}`)
  const found = await tryLease(world, method)
  if (found?.secret === undefined || found.method !== method)
    throw new NotApplicable(`no client authenticates with ${method}`)
  return found
}

/** A client with this method; undefined if the server refuses to register one, as it may. */
async function tryLease(
  { leaseClient }: AuthWorld,
  method: Client['method'],
): Promise<Client | undefined> {
  try {
    return await leaseClient(method)
  } catch (error) {
    if (error instanceof Blocked) return undefined
    throw error
  }
}

/** Several codes of one client, in the order in which they were issued. */
export async function obtainCodes(
  { obtainGrant }: AuthWorld,
  client: Client,
  count: number,
): Promise<Grant[]> {
  const grants: Grant[] = []
  for (let one = 0; one < count; one += 1) grants.push(await obtainGrant({}, client))
  return grants
}

/**
 * Expects each wrong request to be refused. Its key describes what is wrong. Each request has its
 * own code; all are compared with the same valid request, the contrast.
 */
export async function expectEachRefused(
  world: AuthWorld,
  client: Client,
  refused: Expectation<HttpExchange>,
  wrong: Readonly<Record<string, (grant: Grant) => Promise<HttpRequest>>>,
): Promise<void> {
  const labels = Object.keys(wrong)
  const grants = await obtainCodes(world, client, labels.length + 1)
  const contrast = await world.newTokenRequest(grants.at(-1)!)
  await Promise.all(
    labels.map(async (label, at) =>
      world.expectRefused(await wrong[label]!(grants[at]!), refused, {
        contrast,
        root: client.secret === undefined ? undefined : 'AUTH-TOKEN-20',
        label: labels.length === 1 ? undefined : label,
      }),
    ),
  )
}

/** A code or token that the server did not issue. */
export const newUnknownToken = (): string => randomBytes(32).toString('base64url')
export const invalidGrant = refusedWith([400], 'invalid_grant')

/**
 * Replaces one character in the middle with a different letter. A change at the end could have no
 * effect, because the last character of a base64 value may contain unused bits. A change of case
 * could have no effect in a hexadecimal value.
 */
export function changeOneCharacter(value: string): string {
  const middle = value.length >> 1
  const other = /a/i.test(value[middle] ?? '') ? 'B' : 'A'
  return `${value.slice(0, middle)}${other}${value.slice(middle + 1)}`
}
