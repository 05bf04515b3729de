import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../client.ts'
import type { Grant } from '../grant.ts'
import { members, refusedWith } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

// A server may end what a user allowed a client formerly when the user allows it anew. So each check has clients of its own, and where several codes of one
// client are needed, the one that must work is given last.

/** A client that keeps no secret and that no other check uses; the target file's where nobody may register. */
export const own = ({ auth, client }: AuthWorld, name: string): Promise<Client> =>
  auth.registration === false ? client() : client(`of ${name}`)

/** Two clients, one of which has no right to what the other got. */
export async function two(
  ours: (name: string) => Promise<Client>,
  name: string,
): Promise<[Client, Client]> {
  const [client, other] = [await ours(name), await ours(`${name} too`)]
  if (client === other)
    throw new NotCovered<ToolsNeed>('there is but one client', ['tools.auth.registration'])
  if (client.id === other.id) throw new Blocked('AUTH-REGISTER-03', 'two clients have one id')
  return [client, other]
}

/** A client with a secret that no other check uses. A server may have none of that kind. */
export async function confidential(
  world: AuthWorld,
  name: string,
  method: 'client_secret_post' | 'client_secret_basic' = 'client_secret_post',
): Promise<Client> {
  const { auth, client, endpoints } = world
  const { metadata } = await endpoints()
  const told: unknown =
    metadata === undefined ? undefined : members(metadata)['token_endpoint_auth_methods_supported']
  // Only secrets in the body have to be taken (OAuth 2.1 §2.4.1); what else is, the metadata tell.
  if (method === 'client_secret_basic' && Array.isArray(told) && !told.includes(method))
    throw new NotApplicable(`the metadata do not name ${method}`)
  const found =
    auth.registration === false
      ? await client()
      : await registered(world, `${method} of ${name}`, method)
  if (found?.secret === undefined || found.method !== method)
    throw new NotApplicable(`no client proves itself by ${method}`)
  return found
}

/** That some clients keep no secrets, and others do, is nothing that a server has to let them register as. */
async function registered(
  { client }: AuthWorld,
  name: string,
  method: Client['method'],
): Promise<Client | undefined> {
  try {
    return await client(name, { token_endpoint_auth_method: method })
  } catch (error) {
    if (error instanceof Blocked) return undefined
    throw error
  }
}

/** Several codes of one client, in the order in which they were given. */
export async function codes({ grant }: AuthWorld, client: Client, count: number): Promise<Grant[]> {
  const given: Grant[] = []
  for (let one = 0; one < count; one += 1) given.push(await grant({}, client))
  return given
}

/** Requests that must be refused, by what is wrong with them, each with a code of its own, beside one that is right. */
export async function refusesEach(
  world: AuthWorld,
  client: Client,
  refused: Expectation<HttpExchange>,
  wrong: Readonly<Record<string, (grant: Grant) => Promise<HttpRequest>>>,
): Promise<void> {
  const labels = Object.keys(wrong)
  const given = await codes(world, client, labels.length + 1)
  const contrast = await world.exchange(given.at(-1)!)
  await Promise.all(
    labels.map(async (label, at) =>
      world.refuses(await wrong[label]!(given[at]!), refused, {
        contrast,
        root: client.secret === undefined ? undefined : 'AUTH-TOKEN-20',
        label: labels.length === 1 ? undefined : label,
      }),
    ),
  )
}

/** A code or a token that nobody was given. */
export const invented = (): string => randomBytes(32).toString('base64url')
export const invalidGrant = refusedWith([400], 'invalid_grant')

/** A value like another, but for one character in its middle: at the end of what is encoded some bits count for nothing, and neither does the case of what is hexadecimal. */
export function changed(value: string): string {
  const middle = value.length >> 1
  return `${value.slice(0, middle)}${/a/i.test(value[middle] ?? '') ? 'B' : 'A'}${value.slice(middle + 1)}`
}
