import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Provider } from 'oidc-provider'
import { consentPage, loginPage, problemPage, show } from './pages.ts'
import { signIn, userOf } from './users.ts'

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** Asks users who they are, then what they allow, each on a page with a form. Which of the two is asked, the provider decides; whose question it is, its cookie tells. */
export function newInteraction(
  provider: Provider,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    let details: Details
    try {
      details = await provider.interactionDetails(request, response)
    } catch {
      return show(response, 400, problemPage('Nothing was asked here, or not in this browser.'))
    }
    const action = `/interaction/${details.uid}`
    if (request.url !== action) return show(response, 404, problemPage('There is nothing here.'))
    if (request.method === 'GET') return show(response, 200, await ask(provider, details, action))
    if (request.method !== 'POST')
      return show(response, 405, problemPage('This cannot be done here.'))

    const given = new URLSearchParams(await text(request))
    const finish = (
      result: Parameters<Provider['interactionFinished']>[2],
      mergeWithLastSubmission = false,
    ) => provider.interactionFinished(request, response, result, { mergeWithLastSubmission })
    if (given.get('decision') !== 'approve')
      return finish({ error: 'access_denied', error_description: 'the user did not allow it' })
    if (details.prompt.name === 'consent')
      return finish({ consent: { grantId: await grant(provider, details) } }, true)
    const user = signIn(given.get('login') ?? '', given.get('password') ?? '')
    if (user === undefined)
      return show(
        response,
        403,
        await ask(provider, details, action, 'Login or password are wrong.'),
      )
    return finish({ login: { accountId: user.id } })
  }
}

async function ask(
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
    leadsTo: String(params['redirect_uri']),
    login: userOf(session?.accountId)?.login ?? '',
  })
}

/** Writes down what the user allowed, beside what they had allowed to this client before. */
async function grant(
  provider: Provider,
  { prompt: { details }, params, session, grantId }: Details,
): Promise<string> {
  const before = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant =
    before ??
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
