import { afterEach, describe, expect, it } from 'vitest'
import { decide, type ConsentResult, type ConsentOptions } from './consent.ts'
import {
  browser,
  destination,
  endAll,
  site,
  type SiteRequest,
  type SiteReply,
} from './oauth.testing.ts'
import { meaningOf, type Decision } from './button-meaning.ts'

afterEach(endAll)

const back = (query: string): SiteReply => ({ to: `${destination}?${query}` })

async function decided(
  answer: (request: SiteRequest) => SiteReply,
  decision: Decision,
  options?: ConsentOptions,
): Promise<ConsentResult & { requests: SiteRequest[] }> {
  const { url, requests } = await site(answer)
  const one = browser()
  return { ...(await decide(one, await one.open(`${url}/authorize`), decision, options)), requests }
}

const consent = (inner: string) =>
  `<title>Allow?</title><form method=post action=/consent><input type=hidden name=request value=r>${inner}</form>`

/** Asks for a password, then for consent. */
const twoPages = ({ path, fields, headers }: SiteRequest): SiteReply => {
  if (path === '/login' && fields.get('password') === 'p')
    return { to: '/authorize', headers: { 'Set-Cookie': 'who=ada; Path=/' } }
  if (path === '/consent')
    return back(fields.get('decision') === 'approve' ? 'code=1' : 'error=access_denied')
  if (headers.cookie === 'who=ada')
    return {
      html: consent(
        '<button name=decision value=deny>No way</button><button name=decision value=approve>Fine</button>',
      ),
    }
  return {
    html: '<title>Who?</title><form method=post action=/login><input name=login><input name=password type=password><input type=submit value="Log in"></form>',
  }
}

describe('deciding', () => {
  it('enters no values on a page, or into a form, of an origin that is not trusted', async () => {
    const foreign = await site(() => back('code=stolen'))
    const login = (action: string) =>
      `<title>Who?</title><form method=post action="${action}"><input name=password type=password><input type=submit value="Log in"></form>`
    const form = { password: 'p' }
    const { url } = await site(({ path }) =>
      path === '/redirects'
        ? { to: `${foreign.url}/page` }
        : { html: login(`${foreign.url}/login`) },
    )
    const page = await site(() => ({ html: login('/login') }))
    for (const [start, trusted, untrusted] of [
      [`${url}/authorize`, [url], foreign.url],
      [`${page.url}/authorize`, [foreign.url], page.url],
    ] as const) {
      const one = browser()
      const result = await decide(one, await one.open(start), 'approve', {
        form,
        isTrusted: (origin) => (trusted as readonly string[]).includes(origin),
      })
      expect(result.untrusted).toBe(untrusted)
      expect(result.problem).toContain(`to ${untrusted}`)
    }
    expect(foreign.requests).toEqual([])
    expect(page.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it('denies only with the control that the target file names', async () => {
    const withCancel = (request: SiteRequest): SiteReply => {
      const reply = twoPages(request)
      return 'html' in reply && request.headers.cookie === undefined
        ? { html: `${reply.html}<a href="/start">Cancel</a>` }
        : reply
    }
    const { destination, requests } = await decided(withCancel, 'deny', {
      form: { login: 'ada', password: 'p' },
      deny: 'No way',
    })
    expect(destination?.search).toBe('?error=access_denied')
    expect(requests.map(({ path }) => path)).not.toContain('/start')
  })

  it.each([
    ['approve', 'code=1'],
    ['deny', 'error=access_denied'],
  ] as const)(
    'signs in on one page, and then decides to %s on the next page',
    async (decision, query) => {
      const { destination, pages, exchanges, problem } = await decided(twoPages, decision, {
        form: { login: 'ada', password: 'p' },
      })
      expect([
        destination?.search,
        pages.map(({ title }) => title),
        exchanges.length,
        problem,
      ]).toEqual([`?${query}`, ['Who?', 'Allow?'], 4, undefined])
    },
  )

  it('does not repeat a failed login', async () => {
    const { problem, requests } = await decided(twoPages, 'approve', {
      form: { login: 'ada', password: 'wrong' },
    })
    expect(problem).toBe('the page "Who?" was shown again after it was submitted')
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['approve', 'decision=b', 'b'],
    ['deny', 'decision=a', 'a'],
    ['deny', ' one ', 'a'],
  ] as const)(
    'presses the button for "%s" that the options name with "%s"',
    async (decision, named, value) => {
      const { requests } = await decided(
        ({ path }) =>
          path === '/consent'
            ? back('x=1')
            : {
                html: consent(
                  '<button name=decision value=a>One</button><button name=decision value=b>Two</button>',
                ),
              },
        decision,
        { [decision]: named },
      )
      expect(requests[1]!.fields.get('decision')).toBe(value)
    },
  )

  it.each([
    [
      'a link of the page',
      '<button>Continue</button></form><a href="/abort">[ Cancel ]</a>',
      '/abort',
    ],
    [
      'a link that leads back at once',
      `<button>Continue</button></form><a href="${destination}?error=access_denied">Cancel</a>`,
      undefined,
    ],
    [
      'a button whose value denies',
      '<button name=a value=yes>✓</button><button name=a value=no formaction=/none>✗</button>',
      '/none',
    ],
    [
      'a button whose name denies',
      '<button name=accept>✓</button><button name=cancel formaction=/none>✗</button>',
      '/none',
    ],
    [
      'a button whose label contains a negated word',
      '<button>Allow</button><button formaction=/none>Don’t allow</button>',
      '/none',
    ],
  ])('denies with %s', async (_, inner, path) => {
    const { destination: end, requests } = await decided(
      ({ path: asked }) =>
        asked === '/authorize' ? { html: consent(inner) } : back('error=access_denied'),
      'deny',
    )
    expect(end?.searchParams.get('error')).toBe('access_denied')
    expect(requests[1]?.path).toBe(path)
  })

  it.each([
    ['a form without a button', consent('')],
    ['the only button, whatever it says', consent('<button>Los</button>')],
    [
      'a button that approves, rather than one that only continues',
      consent('<button formaction=/no>Continue later</button><button>Allow</button>'),
    ],
    ['an image button', consent('<input type=image name=go alt=Allow>')],
    [
      'the form that asks for a password',
      `<form action=/no><button>Sign in with another</button></form>${consent('<input type=password name=p><button>Go</button>')}`,
    ],
    ['a link, if there is no form', '<a href=/no>Help</a><a href=/consent>Continue</a>'],
  ])('approves with %s', async (_, html) => {
    const { destination: end } = await decided(
      ({ path }) =>
        path === '/authorize'
          ? { html }
          : path === '/consent'
            ? back('code=1')
            : { status: 404, html: '' },
      'approve',
    )
    expect(end?.search).toBe('?code=1')
  })

  it.each<[string, Decision, SiteReply, RegExp]>([
    [
      'a page without a form',
      'approve',
      { html: '<title>T</title><p>x' },
      /"T" does not lead further: it has no form$/,
    ],
    [
      'a page that needs scripts',
      'approve',
      { html: '<script>go()</script>' },
      /the page at \/authorize .* it has no form unless scripts run/,
    ],
    [
      'a page without a button that approves',
      'approve',
      { html: consent('<button>A</button><button>B</button>') },
      /none of its buttons approves/,
    ],
    [
      'a page without a button that denies',
      'deny',
      { html: consent('<button>Allow</button>') },
      /none of its buttons and links denies/,
    ],
    [
      'a page whose only button could approve',
      'deny',
      { html: consent('<button>Continue</button>') },
      /none of its buttons and links denies/,
    ],
    [
      'a page whose login form also approves',
      'deny',
      { html: consent('<input type=password name=p><button>Authorize</button>') },
      /none of its buttons and links denies/,
    ],
    [
      'an error status',
      'approve',
      { status: 400, html: '<title>Bad</title><form><button>Search</button></form>' },
      /"Bad" has status 400/,
    ],
    ['a response without a page', 'approve', { status: 500 }, /^500 without a page/],
  ])('reports %s', async (_, decision, reply, why) => {
    const { problem, destination: end, requests } = await decided(() => reply, decision)
    expect(problem).toMatch(why)
    expect([end, requests.length]).toEqual([undefined, 1])
  })

  it('ends after ten pages', async () => {
    let count = 0
    const { problem, requests } = await decided(
      () => ({
        html: `<title>${(count += 1)}</title><form method=post><button>Next</button></form>`,
      }),
      'approve',
    )
    expect(problem).toBe('there were more than 10 pages')
    expect(requests).toHaveLength(11)
  })
})

it.each([
  ['Sign-in', 'go on'],
  ['signIn', 'go on'],
  ['Authorise', 'approve'],
  ['I do not agree', 'deny'],
  ['Disagree', 'deny'],
  ['Not now', 'deny'],
  ['Notify me', undefined],
  ['Northern', undefined],
  ['No', 'deny'],
])('reads %s as %s', (text, meaning) =>
  expect(meaningOf({ text, value: '', name: '' })).toBe(meaning),
)
