import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Provider } from 'oidc-provider'
import { consentPage, loginPage, problemPage, sendPage } from './pages.ts'
import { signIn, userOf } from './users.ts'

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Serves the pages to sign in and to consent. The provider decides which page is next, and its
 * cookie identifies the interaction.
 */
export function newInteraction(
  provider: Provider,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    let details: Details
    try {
      details = await provider.interactionDetails(request, response)
    } catch {
      return sendPage(response, 400, problemPage('There is no request in this browser.'))
    }
    const action = `/interaction/${details.uid}`
    if (request.url !== action)
      return sendPage(response, 404, problemPage('This page does not exist.'))
    if (request.method === 'GET')
      return sendPage(response, 200, await interactionPage(provider, details, action))
    if (request.method !== 'POST')
      return sendPage(response, 405, problemPage('This method is not allowed.'))

    const fields = new URLSearchParams(await text(request))
    const finish = (
      result: Parameters<Provider['interactionFinished']>[2],
      mergeWithLastSubmission = false,
    ) => provider.interactionFinished(request, response, result, { mergeWithLastSubmission })
    if (fields.get('decision') !== 'approve')
      return finish({ error: 'access_denied', error_description: 'the user did not allow it' })
    if (details.prompt.name === 'consent')
      return finish({ consent: { grantId: await saveGrant(provider, details) } }, true)
    const user = signIn(fields.get('login') ?? '', fields.get('password') ?? '')
    if (user === undefined)
      return sendPage(
        response,
        403,
        await interactionPage(provider, details, action, 'Login or password is wrong.'),
      )
    return finish({ login: { accountId: user.id } })
  }
}

async function interactionPage(
  provider: Provider,
  { prompt, params, session }: Details,
  action: string,
  problem?: string,
): Promise<string> {
  const id = String(params['client_id'])
  const client = `${(await provider.Client.find(id))?.clientName ?? 'A client without a name'} (${id})`
  if (prompt.name === 'login')
    return loginPage(action, { client, ...(problem === undefined ? {} : { problem }) })
  return consentPage(action, {
    client,
    scopes: String(params['scope'] ?? '')
      .split(' ')
      .filter(Boolean),
    redirectUri: String(params['redirect_uri']),
    login: userOf(session?.accountId)?.login ?? '',
  })
}

/** Adds the scopes that the user allowed to the grant of this client. */
async function saveGrant(
  provider: Provider,
  { prompt: { details }, params, session, grantId }: Details,
): Promise<string> {
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant =
    existing ??
    new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) })
  const { missingOIDCScope = [], missingResourceScopes = {} } = details as {
    missingOIDCScope?: string[]
    missingResourceScopes?: Record<string, string[]>
  }
  if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '))
  return grant.save()
}
