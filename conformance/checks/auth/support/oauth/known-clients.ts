import { Blocked, NotApplicable } from '../../../../engine/index.ts'
import { type Client, clientIn, clientName, redirectUri, webRedirectUri } from '../client.ts'
import type { AuthorizationWorld } from '../authorization-world.ts'
import type { Registration } from '../registration-world.ts'
import type { AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'

// Clients with particular metadata. Each is registered once in a run, because a server may limit
// registrations.

/** A name with letters outside ASCII, which a server that does not read UTF-8 changes. */
const webName = `${clientName}, Prüfstein`

/** The name and the metadata of a client. */
type NamedMetadata = readonly [name: string, metadata: Readonly<Record<string, unknown>>]

/**
 * The metadata of a web client with these paths as redirect URIs or, if the server allows only
 * loopback, of a native client.
 */
async function metadataWith(
  { registrationOf }: AuthWorld,
  name: string,
  paths: readonly string[],
): Promise<NamedMetadata> {
  const web = {
    client_name: webName,
    redirect_uris: paths.map((path) => `${webRedirectUri}${path}`),
    application_type: 'web',
  }
  if (clientIn((await registrationOf(name, web)).response, {}) !== undefined) return [name, web]
  return [
    `${name}, native`,
    {
      client_name: webName,
      redirect_uris: paths.map((path) => `${redirectUri}${path}`),
    },
  ]
}

const metadataWithOneUri = (world: AuthWorld) => metadataWith(world, 'web', ['/web'])
/** A web client with one redirect URI. */
export const webClient = async (world: AuthWorld): Promise<Client> =>
  world.getClient(...(await metadataWithOneUri(world)))
export const webRegistration = async (world: AuthWorld): Promise<Registration> =>
  world.registrationOf(...(await metadataWithOneUri(world)))

/** Ends the check as not applicable if the server registers only clients with one redirect URI. */
async function metadataWithTwoUris(world: AuthWorld): Promise<NamedMetadata> {
  const [name, metadata] = await metadataWith(world, 'with two redirect URIs', [
    '/1',
    '/2?app=1&from=touchstone',
  ])
  const { response } = await world.registrationOf(name, metadata)
  if (response.status === 400 && (await registersOneUri(world)))
    throw new NotApplicable('the server registers no client with two redirect URIs')
  return [name, metadata]
}

const registersOneUri = async (world: AuthWorld): Promise<boolean> =>
  clientIn((await webRegistration(world)).response, {}) !== undefined

/** A client like `webClient`, but with two redirect URIs, the second of which has a query. */
export const clientWithTwoUris = async (world: AuthWorld): Promise<Client> =>
  world.getClient(...(await metadataWithTwoUris(world)))
export const registrationWithTwoUris = async (world: AuthWorld): Promise<Registration> =>
  world.registrationOf(...(await metadataWithTwoUris(world)))

/**
 * A client that names no authentication method. By default, it has a secret (RFC 7591 §2). It runs
 * only the flows of one check.
 */
const metadataWithoutMethod = async (world: AuthWorld): Promise<NamedMetadata> => [
  'without a method',
  {
    token_endpoint_auth_method: undefined,
    application_type: undefined,
    redirect_uris: redirectUrisIn(metadataIn(await webRegistration(world))),
  },
]
export const registrationWithoutMethod = async (world: AuthWorld): Promise<Registration> =>
  world.registrationOf(...(await metadataWithoutMethod(world)))
export const clientWithoutMethod = async (world: AuthWorld): Promise<Client> =>
  world.getClient(...(await metadataWithoutMethod(world)))

/** Metadata that a server does not know. */
export const unknownMetadata = {
  'an unknown member': { touchstone_extension: { version: 1 } },
  // A name in another language (RFC 7591 §2.2).
  'a member with a language tag': { 'client_name#de': 'Prüfstein' },
}
const withUnknownMetadata: NamedMetadata = [
  'with unknown metadata',
  Object.assign({}, ...Object.values(unknownMetadata)) as Record<string, unknown>,
]
export const registrationWithUnknownMetadata = (world: AuthWorld): Promise<Registration> =>
  world.registrationOf(...withUnknownMetadata)

/** A public key of a client (RFC 7517 §4), with which the client signs nothing. */
const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  use: 'sig',
}
const withTwoSetsOfKeys: NamedMetadata = [
  'with two sets of keys',
  {
    client_name: clientName,
    jwks: { keys: [publicKey] },
    jwks_uri: 'https://client.touchstone.example/jwks.json',
  },
]
export const registrationWithTwoSetsOfKeys = (world: AuthWorld): Promise<Registration> =>
  world.registrationOf(...withTwoSetsOfKeys)

/** A client, or another one with `plain` metadata if the server refuses to register the first. */
const clientOrPlain = (
  { getClient }: AuthWorld,
  [name, metadata]: NamedMetadata,
  plain: Readonly<Record<string, unknown>>,
): Promise<Client> =>
  getClient(name, metadata).catch((error: unknown) => {
    if (error instanceof Blocked) return getClient(`not ${name}`, plain)
    throw error
  })

/** A client without a secret that no user has approved before. Only one check may use each. */
export const clientForMoreScopes = (world: AuthWorld): Promise<Client> =>
  clientOrPlain(world, withUnknownMetadata, {})
export const clientForAllScopes = (world: AuthWorld): Promise<Client> =>
  clientOrPlain(world, withTwoSetsOfKeys, { client_name: clientName })

/** The metadata of a registration request. */
export const metadataIn = ({
  request: { body },
}: Registration): Readonly<Record<string, unknown>> =>
  body?.kind === 'json' ? (body.value as Readonly<Record<string, unknown>>) : {}

/** The redirect URIs in metadata. */
export const redirectUrisIn = (metadata: unknown): readonly string[] =>
  ((metadata ?? {}) as { redirect_uris?: readonly string[] }).redirect_uris ?? []

/**
 * The name of a client that no user approves. This client has the redirect URI of the default
 * client, `public`, because the browsers of the suite stop only there.
 */
export const deniedName = `Curlew Reader, ${clientName}`
const deniedMetadata = async ({ getClient }: AuthWorld) => ({
  client_name: deniedName,
  redirect_uris: [(await getClient()).redirectUri],
})
export const deniedClient = async (world: AuthWorld): Promise<Client> =>
  world.getClient('denied', await deniedMetadata(world))
/** The client `denied`, or the client in the target file if clients cannot register themselves. */
export const deniedClientIn = (world: AuthWorld): Promise<Client> =>
  world.auth.registration === false ? world.getClient() : deniedClient(world)
export const registrationOfDenied = async (world: AuthWorld): Promise<Registration> =>
  world.registrationOf('denied', await deniedMetadata(world))

/** The name of the client whose consent page is examined. */
export const shownName = `Heron Reader, ${clientName}`

/**
 * A client for the consent page: a web client or, if the server does not register it, a native one.
 */
export const shownClient = ({ getClient }: AuthWorld): Promise<Client> =>
  getClient('shown', {
    client_name: shownName,
    redirect_uris: [`${webRedirectUri}/of-another-client`],
    application_type: 'web',
  }).catch((error: unknown) => {
    if (error instanceof Blocked) return getClient('shown, native', { client_name: shownName })
    throw error
  })

/** A client, and a flow in which its user is asked and approves. */
interface ApprovedFlow {
  readonly client: Client
  readonly flow: AuthorizationFlow
}

/**
 * The first flow of the client `shown`, run once for all checks. A server need not ask again for an
 * approved client.
 */
const firstFlow = (world: AuthWorld): Promise<ApprovedFlow> =>
  world.shared('first flow of a client', async (common) =>
    approve(common, await shownClient(common)),
  )

const approve = async (world: AuthorizationWorld, client: Client): Promise<ApprovedFlow> => ({
  client,
  flow: await world.runFlow(await world.newAuthorizationRequest({}, client)),
})

/**
 * The first flow of the client `shown`, or a flow of the client in the target file if clients may
 * not register themselves.
 */
export const firstFlowIn = async (world: AuthWorld): Promise<ApprovedFlow> =>
  world.auth.registration === false ? approve(world, await world.leaseClient()) : firstFlow(world)
