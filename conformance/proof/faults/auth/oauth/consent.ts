import type { AuthFault } from '../fault.ts'
import {
  asProvider,
  asProxy,
  fault,
  withChoices,
  type MakeAuthDeviation,
  onReply,
  replaceRules,
} from '../building.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { kindOfClient } from './token-replies.ts'
import { combine, withParameter, onConsentPage, onDenialRedirect } from './building.ts'

/** Accepts decisions from any page and in any browser. */
const acceptAnyDecision = replaceRules((_rules, hit) => ({
  oauth: {
    isFromConsentPage: () => true,
    isSameBrowser() {
      hit()
      return true
    },
  },
}))

/** Runs the fault in a server with its own users, which remembers their approvals. */
const remembersConsent = (make: MakeAuthDeviation): MakeAuthDeviation =>
  withChoices({ hosting: { pattern: 'oauth-provider' }, oauth: { remembersConsent: true } }, make)

/** Replaces the name of the client, in the title and in the heading. */
const showName = (html: string, name: string): string =>
  html
    .replace(/<title>.*?<\/title>/, `<title>${name}</title>`)
    .replace(/(<bdi id="client-name">).*?(<\/bdi>)/, `$1${name}$2`)

const withoutForms = (html: string): string =>
  html.replace(
    /<form[\s\S]*<\/form>/,
    '<div id="app"></div><script>document.getElementById("app").textContent = "…"</script>',
  )

/** Faults of the consent page and of the user's decision. */
export const consent: readonly AuthFault[] = [
  fault(
    'client-name-unescaped',
    'Writes the name of the client into the page without escaping it.',
    ['AUTH-CONSENT-10'],
    onConsentPage((html) =>
      html.replace(/<bdi id="client-name">(.*?)<\/bdi>/, (_, name: string) =>
        name
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'"),
      ),
    ),
  ),
  fault(
    'state-unescaped',
    'Writes the state of the request into the page without escaping it.',
    ['AUTH-CONSENT-10'],
    onConsentPage((html, { parameters }) => {
      const state = parameters?.get('state')
      return state === undefined
        ? html
        : html.replace('</form>', () => `<input type="hidden" name="s" value="${state}"></form>`)
    }),
  ),
  fault(
    'consent-is-not-asked',
    'Issues codes without asking the user.',
    ['AUTH-CONSENT-01'],
    asProxy(replaceRules({ oauth: { asksUser: () => false } })),
  ),
  fault(
    'browsers-are-asked-once',
    'Asks a browser only once, even if the user denied.',
    ['AUTH-CONSENT-01'],
    asProxy(replaceRules({ oauth: { asksUser: (_, __, browser) => browser === undefined } })),
  ),
  fault(
    'first-request-is-not-asked',
    'Asks a browser, but not for its first request.',
    ['AUTH-CONSENT-01'],
    asProxy(replaceRules({ oauth: { asksUser: (_, __, browser) => browser !== undefined } })),
  ),
  fault(
    'signed-in-users-are-not-asked',
    'Does not ask users who have signed in.',
    ['AUTH-CONSENT-01'],
    asProvider(replaceRules({ oauth: { asksUser: () => false } })),
  ),

  fault(
    'approval-covers-all-scopes',
    'Remembers which clients were approved, but not for which scopes.',
    ['AUTH-CONSENT-11'],
    remembersConsent(replaceRules({ oauth: { asksUser: (allowed) => allowed === undefined } })),
  ),
  fault(
    'approval-with-a-secret-covers-all-scopes',
    'Remembers which clients with a secret were approved, but not for which scopes.',
    ['AUTH-CONSENT-11'],
    remembersConsent(
      replaceRules((_rules, hit) => {
        let isConfidential = false
        return {
          oauth: {
            pkceProblem(challenge, method, client, choices) {
              isConfidential = kindOfClient(client) === 'confidential'
              return defaultRules.pkceProblem(challenge, method, client, choices)
            },
            asksUser(allowed, request, browser) {
              const usual = defaultRules.asksUser(allowed, request, browser)
              if (!isConfidential || !usual || allowed === undefined) return usual
              hit()
              return false
            },
          },
        }
      }),
    ),
  ),
  fault(
    'approved-clients-are-not-asked',
    'Does not ask a user who has approved the client before.',
    ['AUTH-CONSENT-13'],
    remembersConsent(
      replaceRules((_rules, hit) => ({
        oauth: {
          asksUser(allowed, request, browser) {
            const asks = defaultRules.asksUser(allowed, request, browser)
            if (!asks) hit()
            return asks
          },
        },
      })),
    ),
  ),
  fault(
    'approval-covers-similar-requests',
    'Does not ask again if one of the requested scopes was approved before.',
    ['AUTH-CONSENT-11'],
    remembersConsent(
      replaceRules({
        oauth: { asksUser: (allowed, { scopes }) => !scopes.some((one) => allowed?.includes(one)) },
      }),
    ),
  ),

  fault(
    'denials-issue-codes',
    'Redirects with a code instead of an error after a denial.',
    ['AUTH-CONSENT-02'],
    onDenialRedirect((url) =>
      withParameter(withParameter(url, 'error', undefined), 'code', 'issued-after-denial'),
    ),
  ),
  fault(
    'denials-issue-codes-with-errors',
    'Redirects with both a code and access_denied after a denial.',
    ['AUTH-CONSENT-02'],
    onDenialRedirect((url) => withParameter(url, 'code', 'issued-after-denial')),
  ),
  fault(
    'denials-with-another-error',
    'Reports a denial as user_cancelled.',
    ['AUTH-CONSENT-02'],
    onDenialRedirect((url) => withParameter(url, 'error', 'user_cancelled')),
  ),
  fault(
    'denials-are-not-reported',
    'Shows a page after a denial and does not redirect to the client.',
    ['AUTH-CONSENT-02'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'consent' && /error=access_denied/.test(reply.headers?.['Location'] ?? '')
        ? {
            status: 200,
            headers: { 'Content-Type': 'text/html' },
            body: Buffer.from('<!doctype html><title>Denied</title><p>You can close this page.'),
          }
        : undefined,
    ),
  ),

  fault(
    'denials-lose-the-state',
    'Reports denials without the state.',
    ['AUTH-CONSENT-03'],
    onDenialRedirect((url) => withParameter(url, 'state', undefined)),
  ),
  fault(
    'denials-change-the-state',
    'Reports denials with a changed state.',
    ['AUTH-CONSENT-03'],
    onDenialRedirect((url) =>
      withParameter(url, 'state', `${url.searchParams.get('state')}-denied`),
    ),
  ),

  fault(
    'approvals-come-from-any-browser',
    'Accepts approvals from browsers to which it has not shown the consent page.',
    ['AUTH-CONSENT-04'],
    asProxy(acceptAnyDecision),
  ),
  fault(
    'approvals-by-links',
    'Accepts approvals by links, in browsers to which it has not shown the consent page.',
    ['AUTH-CONSENT-04'],
    asProvider(
      replaceRules((_rules, hit) => ({
        oauth: {
          decidesByLink: true,
          isFromConsentPage(_, __, { method }) {
            if (method === 'GET') hit()
            return true
          },
        },
      })),
    ),
  ),
  fault(
    'approvals-come-from-other-pages',
    'Allows browsers to send its cookies from other sites, and accepts approvals from these sites.',
    ['AUTH-CONSENT-04'],
    asProvider(
      combine(
        replaceRules(() => ({ oauth: { isFromConsentPage: () => true } })),
        onReply((reply) => {
          const { 'Set-Cookie': cookie, ...headers } = reply.headers ?? {}
          return cookie === undefined
            ? undefined
            : {
                ...reply,
                headers: {
                  ...headers,
                  'Set-Cookie': cookie.replace('SameSite=Lax', 'SameSite=None; Secure'),
                },
              }
        }),
      ),
    ),
  ),

  fault(
    'page-hides-the-client',
    'Does not show which client requests access.',
    ['AUTH-CONSENT-05'],
    onConsentPage((html) => showName(html, 'it').replace(/<p id="client-id">.*?<\/p>/, '')),
  ),
  fault(
    'page-shows-its-own-name',
    'Shows its own name and an id of 1 for every client.',
    ['AUTH-CONSENT-05'],
    onConsentPage((html) =>
      showName(html, 'shelf_mcp').replace(/<p id="client-id">.*?<\/p>/, '<p id="client-id">1</p>'),
    ),
  ),
  fault(
    'page-hides-the-permissions',
    'Does not show the requested permissions.',
    ['AUTH-CONSENT-06'],
    onConsentPage((html) =>
      html
        .replace(/<ul>[\s\S]*?<\/ul>/, '')
        .replace(/<br><small id="upstream-scopes">[\s\S]*?<\/small>/, ''),
    ),
  ),
  fault(
    'page-shows-full-access',
    'Shows "Full access" for all permissions.',
    ['AUTH-CONSENT-06'],
    asProvider(
      onConsentPage((html) => html.replace(/<ul>[\s\S]*?<\/ul>/, '<ul><li>Full access</li></ul>')),
    ),
  ),
  fault(
    'page-hides-the-address',
    'Does not show where the user will be redirected.',
    ['AUTH-CONSENT-07'],
    onConsentPage((html) => html.replace(/<p id="return-to">.*?<\/p>/, '')),
  ),
  fault(
    'page-shows-every-address-as-an-app',
    'Shows "the application" for all redirect URIs.',
    ['AUTH-CONSENT-07'],
    onConsentPage((html) => html.replace(/<p id="return-to">.*?<\/p>/, '<p>the application</p>')),
  ),
  fault(
    'page-may-be-framed',
    'Allows other sites to put its consent page into a frame.',
    ['AUTH-CONSENT-08'],
    onReply((reply) => {
      const {
        'X-Frame-Options': options,
        'Content-Security-Policy': policy = '',
        ...headers
      } = reply.headers ?? {}
      return options === undefined
        ? undefined
        : {
            ...reply,
            headers: {
              ...headers,
              'Content-Security-Policy': policy.replace(/; frame-ancestors [^;]*/, ''),
            },
          }
    }),
  ),
  fault(
    'page-may-be-framed-by-its-policy',
    'Allows frames in its Content-Security-Policy, although X-Frame-Options forbids them.',
    ['AUTH-CONSENT-08'],
    onReply((reply) => {
      const policy = reply.headers?.['Content-Security-Policy']
      return policy === undefined
        ? undefined
        : {
            ...reply,
            headers: {
              ...reply.headers,
              'Content-Security-Policy': policy.replace(
                /frame-ancestors [^;]*/,
                'frame-ancestors *',
              ),
            },
          }
    }),
  ),
  fault(
    'page-needs-scripts',
    'Shows no form on the consent page unless a script runs.',
    ['AUTH-CONSENT-09'],
    onConsentPage(withoutForms),
  ),
]
