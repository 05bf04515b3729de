import { Blocked } from '../../../../engine/index.ts'
import { type Client, webRedirectUri } from '../client.ts'
import type { AuthorizationWorld } from '../authorization-world.ts'
import type { Registration } from '../registration-world.ts'
import type { AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'

// Clients with particular metadata. Each is registered once in a run, because a server may limit
// registrations.

/** A web client with one redirect URI. */
const webMetadata = {
  client_name: 'Touchstone, web',
  redirect_uris: [webRedirectUri],
  application_type: 'web',
}
export const webClient = ({ getClient }: AuthWorld): Promise<Client> =>
  getClient('web', webMetadata)
export const webRegistration = ({ registrationOf }: AuthWorld): Promise<Registration> =>
  registrationOf('web', webMetadata)

/** A web client with the same name and two redirect URIs, the second with a query. */
export const twoRedirectUris = [
  `${webRedirectUri}/1`,
  `${webRedirectUri}/2?app=1&from=touchstone`,
] as const
const metadataWithTwoUris = {
  client_name: 'Touchstone, web',
  redirect_uris: twoRedirectUris,
  application_type: 'web',
}
export const clientWithTwoUris = ({ getClient }: AuthWorld): Promise<Client> =>
  getClient('with two redirect URIs', metadataWithTwoUris)
export const registrationWithTwoUris = ({ registrationOf }: AuthWorld): Promise<Registration> =>
  registrationOf('with two redirect URIs', metadataWithTwoUris)

/**
 * A client that users only deny, or do not answer. It has the redirect URI of the client `public`,
 * because a browser stops only there.
 */
export const deniedName = 'Curlew Reader'
const deniedMetadata = async ({ getClient }: AuthWorld) => ({
  client_name: deniedName,
  redirect_uris: [(await getClient()).redirectUri],
})
export const deniedClient = async (world: AuthWorld): Promise<Client> =>
  world.getClient('denied', await deniedMetadata(world))
/** The client `denied`, or the client of the target file if clients may not register themselves. */
export const deniedClientIn = (world: AuthWorld): Promise<Client> =>
  world.auth.registration === false ? world.getClient() : deniedClient(world)
export const registrationOfDenied = async (world: AuthWorld): Promise<Registration> =>
  world.registrationOf('denied', await deniedMetadata(world))

/** The name of the client that consent pages show. */
export const shownName = 'Heron Reader'

/**
 * A client for the consent page: a web client, or a native one if the server does not register
 * such a web client.
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
 * The first flow of the client `shown`, or a flow of the client of the target file if clients may
 * not register themselves.
 */
export const firstFlowIn = async (world: AuthWorld): Promise<ApprovedFlow> =>
  world.auth.registration === false ? approve(world, await world.leaseClient()) : firstFlow(world)
