import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../client.ts'
import type { Grant } from '../grant.ts'
import { members, refusedWith } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

// A server may revoke a client's earlier grants when the user approves it again. Therefore no other
// check uses the client of a check meanwhile, and of several codes of one client, the one that must
// work is obtained last.

/**
 * A client without a secret that no other check uses meanwhile; the client of the target file if
 * clients may not register themselves.
 */
export const ownClient = ({ leaseClient }: AuthWorld): Promise<Client> => leaseClient('none')

/**
 * Two clients of one kind. The second one must not use what was issued to the first; other checks
 * may use it meanwhile.
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
 * A client with a secret that no other check uses meanwhile. Not applicable if the server does not
 * support the method.
 */
export async function confidentialClient(
  world: AuthWorld,
  method: 'client_secret_post' | 'client_secret_basic' = 'client_secret_post',
): Promise<Client> {
  const { metadata } = await world.findEndpoints()
  const supported: unknown =
    metadata === undefined ? undefined : members(metadata)['token_endpoint_auth_methods_supported']
  // Servers must accept secrets in the body (OAuth 2.1 §2.4.1). Other methods are listed in the
  // metadata.
  if (method === 'client_secret_basic' && Array.isArray(supported) && !supported.includes(method))
    throw new NotApplicable(`the metadata does not list ${method}`)
  const found = await tryLease(world, method)
  if (found?.secret === undefined || found.method !== method)
    throw new NotApplicable(`no client authenticates by ${method}`)
  return found
}

/**
 * A client with this method; undefined if the server registers none. A server need not register
 * clients of every method.
 */
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
 * Expects each wrong request to be refused. Its key describes what is wrong with it. Each has its
 * own code, and all have one contrast.
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
 * Changes one character in the middle. At the end of an encoded value some bits have no effect, and
 * in a hexadecimal value upper and lower case are the same.
 */
export function changeOneCharacter(value: string): string {
  const middle = value.length >> 1
  const other = /a/i.test(value[middle] ?? '') ? 'B' : 'A'
  return `${value.slice(0, middle)}${other}${value.slice(middle + 1)}`
}
