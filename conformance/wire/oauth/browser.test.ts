import { afterEach, describe, expect, it } from 'vitest'
import { browser, destination, endAll, site } from './oauth.testing.ts'

afterEach(endAll)

const form =
  '<form method=post action="/send?x=1"><input type=hidden name=request value=r1><input name=login><input type=checkbox name=all value=1 checked><button name=go value=yes>Go</button></form>'

describe('a browser', () => {
  it('follows redirects with its cookies, and stops at its destination', async () => {
    const { url, requests } = await site(({ path }) =>
      path === '/start'
        ? { to: '/page', headers: { 'Set-Cookie': ['a=1; HttpOnly', 'b=2; Path=/other'] } }
        : path === '/page'
          ? { html: form }
          : { to: `${destination}?code=c&state=s` },
    )
    const one = browser()
    const opened = await one.open(`${url}/start?x=1`, { operation: 'authorize' })
    expect(opened.exchanges.map(({ operation, status }) => [operation, status])).toEqual([
      ['authorize', 302],
      ['followRedirect', 200],
    ])
    expect(opened).toMatchObject({ page: { url: `${url}/page`, forms: [{ method: 'POST' }] } })
    expect(opened.page!.exchange).toBe(opened.exchanges[1])
    const [first] = opened.page!.forms
    const sent = await one.submit(first!, {
      button: first!.buttons[0],
      values: { login: 'ada', unknown: 'x', request: 'stays' },
      page: opened.page,
    })
    expect(sent.destination!.href).toBe(`${destination}?code=c&state=s`)
    expect(sent.page).toBeUndefined()
    expect(
      requests.map(({ method, path, headers: { cookie, origin, referer, accept } }) => [
        method,
        path,
        cookie,
        origin,
        referer,
        accept?.slice(0, 9),
      ]),
    ).toEqual([
      ['GET', '/start', undefined, undefined, undefined, 'text/html'],
      ['GET', '/page', 'a=1', undefined, undefined, 'text/html'],
      ['POST', '/send', 'a=1', url, `${url}/page`, 'text/html'],
    ])
    expect(requests[2]!.body).toBe('request=r1&login=ada&all=1&go=yes')
  })

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'a=1'],
    [308, 'POST', 'a=1'],
  ])(
    'after a POST and a redirect with status %i, sends a %s request',
    async (status, method, body) => {
      const { url, requests } = await site(({ path }) =>
        path === '/' ? { status, to: '/next' } : { html: 'there' },
      )
      await browser().submit({
        action: `${url}/`,
        method: 'POST',
        enctype: '',
        fields: [{ name: 'a', type: 'text', value: '1', isSent: true }],
        buttons: [],
      })
      expect(requests.at(-1)).toMatchObject({ method, path: '/next', body })
    },
  )

  it('sends a form with the method GET in the query, and a multipart form in the body', async () => {
    const { url, requests } = await site(({ path }) => ({
      html:
        path === '/'
          ? '<form action="/find?old=1"><input name=q value="a b"><input type=radio name=r value=1><input type=radio name=r value=2 checked></form><form method=post enctype=multipart/form-data action=/up><input name=q value=1></form>'
          : '',
    }))
    const one = browser()
    const { page } = await one.open(url)
    await one.submit(page!.forms[0]!, { values: { r: '1' } })
    await one.submit(page!.forms[1]!)
    expect(requests[1]!.query.toString()).toBe('q=a+b&r=1')
    expect(requests[2]!.headers['content-type']).toMatch(/^multipart\/form-data/)
  })

  it('follows the refresh of a page', async () => {
    const { url } = await site(() => ({
      html: `<meta http-equiv=refresh content="0;url=${destination}?code=1">`,
    }))
    expect((await browser().open(url)).destination?.search).toBe('?code=1')
  })

  it('adds headers for some URLs', async () => {
    const { url, requests } = await site(({ path }) =>
      path === '/a' ? { to: '/b' } : { html: '' },
    )
    await browser({ headers: ({ pathname }) => (pathname === '/b' ? { 'X-Play': '1' } : {}) }).open(
      `${url}/a`,
    )
    expect(requests.map(({ headers }) => headers['x-play'])).toEqual([undefined, '1'])
  })

  it.each([
    ['redirects without end', { to: '/' }, /more than 20 times/, 21],
    [
      'a redirect to another scheme',
      { to: 'app:cb?code=1' },
      /"app:cb\?code=1", which is not a web page/,
      1,
    ],
    ['an invalid URL', { to: 'http://[' }, /is not a URL/, 1],
    [
      'a response without a page',
      { status: 400, headers: { 'Content-Type': 'application/json' } },
      /^400 without a page/,
      1,
    ],
    ['a closed port', { to: 'http://127.0.0.1:1/' }, /^no complete response/, 2],
  ])('reports %s', async (_, reply, why, count) => {
    const { url } = await site(() => reply)
    const { problem, exchanges, page, destination } = await browser().open(url)
    expect(problem).toMatch(why)
    expect([exchanges.length, page, destination]).toEqual([count, undefined, undefined])
  })
})
