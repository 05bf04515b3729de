import type { AuthFault } from '../fault.ts'
import { fault, hosted, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import { both, having, pages, withDenial } from './building.ts'

/** Takes a decision from wherever it comes, and whoever comes back with it. */
const fromAnywhere = replaceRules((_rules, hit) => ({
  oauth: {
    isFromConsentPage: () => true,
    isSameBrowser() {
      hit()
      return true
    },
  },
}))

/** Where users sign in elsewhere, nobody knows them on the page that asks. */
const ofProxy = (make: MakeAuthDeviation): MakeAuthDeviation =>
  hosted({ hosting: { pattern: 'oauth-proxy' } }, make)

const withoutForms = (html: string): string =>
  html.replace(
    /<form[\s\S]*<\/form>/,
    '<div id="app"></div><script>document.getElementById("app").textContent = "…"</script>',
  )

/** Faults of what a user decides. */
export const consent: readonly AuthFault[] = [
  fault(
    'nobody-is-asked',
    'Sends codes without asking.',
    ['AUTH-CONSENT-01'],
    ofProxy(replaceRules({ oauth: { asksUser: () => false } })),
  ),
  fault(
    'browsers-are-asked-once',
    'Asks a browser once, whatever was decided.',
    ['AUTH-CONSENT-01'],
    ofProxy(replaceRules({ oauth: { asksUser: (_, __, browser) => browser === undefined } })),
  ),
  fault(
    'the-first-request-is-let-through',
    'Asks a browser only when it comes again.',
    ['AUTH-CONSENT-01'],
    ofProxy(replaceRules({ oauth: { asksUser: (_, __, browser) => browser !== undefined } })),
  ),
  fault(
    'whoever-signed-in-is-not-asked',
    'Asks nobody who has signed in.',
    ['AUTH-CONSENT-01'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      replaceRules({ oauth: { asksUser: () => false } }),
    ),
  ),

  fault(
    'denials-give-codes',
    'Sends a code to the client that was denied.',
    ['AUTH-CONSENT-02'],
    withDenial((url) => having(having(url, 'error', undefined), 'code', 'in-spite-of-all')),
  ),
  fault(
    'denials-give-codes-beside-errors',
    'Sends a code along with access_denied.',
    ['AUTH-CONSENT-02'],
    withDenial((url) => having(url, 'code', 'in-spite-of-all')),
  ),
  fault(
    'denials-are-called-otherwise',
    'Calls a denial user_cancelled.',
    ['AUTH-CONSENT-02'],
    withDenial((url) => having(url, 'error', 'user_cancelled')),
  ),
  fault(
    'denials-stay-here',
    'Tells the user of a denial, and not the client.',
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
    'Tells denials without the state.',
    ['AUTH-CONSENT-03'],
    withDenial((url) => having(url, 'state', undefined)),
  ),
  fault(
    'denials-change-the-state',
    'Tells denials with the state in capitals.',
    ['AUTH-CONSENT-03'],
    withDenial((url) => having(url, 'state', `${url.searchParams.get('state')}-denied`)),
  ),

  fault(
    'approvals-come-from-any-browser',
    'Takes approvals from browsers that it has not asked.',
    ['AUTH-CONSENT-04'],
    ofProxy(fromAnywhere),
  ),
  fault(
    'approvals-come-by-links',
    'Takes approvals by links, in browsers that it has not asked.',
    ['AUTH-CONSENT-04'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
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
    'Lets other pages send its cookies, and takes approvals from them.',
    ['AUTH-CONSENT-04'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      both(
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
    'Asks for an application without saying which.',
    ['AUTH-CONSENT-05'],
    pages((html) => html.replace(/“.*?”/g, 'it').replace(/<p><small>Its identifier.*?<\/p>/, '')),
  ),
  fault(
    'page-tells-its-own-name',
    'Calls every client by its own name.',
    ['AUTH-CONSENT-05'],
    pages((html) =>
      html.replace(/“.*?”/g, '“shelf_mcp”').replace(/Its identifier: .*?</, 'Its identifier: 1<'),
    ),
  ),
  fault(
    'page-hides-the-permissions',
    'Asks without saying what for.',
    ['AUTH-CONSENT-06'],
    pages((html) =>
      html.replace(/<ul>[\s\S]*?<\/ul>/, '').replace(/<br><small>There[\s\S]*?<\/small>/, ''),
    ),
  ),
  fault(
    'page-tells-everything-as-one',
    'Says of all permissions that they are full access.',
    ['AUTH-CONSENT-06'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      pages((html) => html.replace(/<ul>[\s\S]*?<\/ul>/, '<ul><li>Full access</li></ul>')),
    ),
  ),
  fault(
    'page-hides-the-address',
    'Asks without saying where one returns.',
    ['AUTH-CONSENT-07'],
    pages((html) => html.replace(/<p id="return-to">.*?<\/p>/, '')),
  ),
  fault(
    'page-calls-every-address-an-app',
    'Says of all addresses that they are an application.',
    ['AUTH-CONSENT-07'],
    pages((html) => html.replace(/<p id="return-to">.*?<\/p>/, '<p>the application</p>')),
  ),
  fault(
    'page-may-be-framed',
    'Lets everybody put its page into a frame.',
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
    'Lets everybody put its page into a frame, though an older header forbids it.',
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
  fault('page-needs-scripts', 'Asks by a script.', ['AUTH-CONSENT-09'], pages(withoutForms)),
]
