import { describe, expect, it } from 'vitest'
import { isElement, parseHtml, type Node } from './tree.ts'
import { readPage } from './page.ts'

const at = 'http://h:1/a/b?x=1'
const formOf = (html: string) => readPage(html, at).forms[0]!

describe('a page', () => {
  it('has a title, visible text and links', () => {
    const page = readPage(
      `<title>Allow  <b>Shelf</b>?</title><style>p{}</style><h1>Allow</h1><p>Sh<b>el</b>f<script>x()</script><p hidden>secret<div style="display: none">too</div>
      <noscript>no scripts</noscript><img alt="logo"><a href="../c?d#e">No &amp; back</a><a href="http://[">bad</a><a name=x>none</a><input type=submit value=Send><template><form></form></template>`,
      at,
    )
    expect(page).toMatchObject({
      url: at,
      title: 'Allow <b>Shelf</b>?',
      text: 'Allow Shelf no scripts logo No & backbadnone Send',
      hasScripts: true,
      forms: [],
      refresh: undefined,
    })
    expect(page.links).toEqual([{ text: 'No & back', href: 'http://h:1/c?d#e' }])
  })

  it.each([
    ['0; url=/next', { seconds: 0, url: 'http://h:1/next' }],
    ["5;URL='app:cb?code=1'", { seconds: 5, url: 'app:cb?code=1' }],
    ['3', { seconds: 3, url: at }],
    ['soon', undefined],
  ])('has the refresh of <meta content="%s">', (content, refresh) => {
    expect(readPage(`<meta http-equiv=Refresh content="${content}">`, at).refresh).toEqual(refresh)
  })

  it.each([
    ['<script type="application/json">{}</script><p>one', false],
    ['<script type=module>1</script>', true],
    ['<body onload="go()">', true],
    ['<a href="javascript:go()">go</a>', true],
  ])('detects scripts in %s', (html, scripts) =>
    expect(readPage(html, at).hasScripts).toBe(scripts),
  )

  it.each([
    ['an empty page', ''],
    ['NUL characters', '\0\0<\0form'],
    ['an incomplete tag', '<form><input name="a'],
    ['deeply nested elements', '<div>'.repeat(200_000)],
    [
      'formatting elements that are never closed',
      Array.from({ length: 600 }, (_, index) => `<b a=${index}>`).join('') + '<p>'.repeat(100_000),
    ],
    ['a long text', 'x'.repeat(3_000_000)],
    ['nested tables', '<table><form>'.repeat(50_000)],
  ])('is read up to a limit and without an exception: %s', (_, html) => {
    expect(() => readPage(html, 'no url')).not.toThrow()
    let [nodes, deepest] = [0, 0]
    const visit = (children: readonly Node[], depth: number): void => {
      deepest = Math.max(deepest, depth)
      nodes += children.length
      for (const child of children) if (isElement(child)) visit(child.childNodes, depth + 1)
    }
    visit(parseHtml(html).childNodes, 0)
    expect(nodes).toBeLessThanOrEqual(100_000)
    expect(deepest).toBeLessThanOrEqual(513)
  })

  it('returns the beginning of a page that is nested too deeply', () => {
    expect(
      readPage(`<title>here</title><form><button>Go</button></form>${'<i>'.repeat(1000)}`, at),
    ).toMatchObject({ title: 'here', forms: [{ buttons: [{ text: 'Go' }] }] })
  })
})

describe('a form', () => {
  it('has all fields, sent or not', () => {
    const form =
      formOf(`<form method=Post action="/consent?k=v"><input type=hidden name=request value="a&quot;b"><input name=login value=ada><input type=PASSWORD name=password>
      <input type=checkbox name=s value=read checked><input type=checkbox name=s><input type=radio name=r value=1><input name=off disabled><input value=nameless>
      <fieldset disabled><input name=also-off></fieldset><textarea name=t>\nlines\n</textarea>
      <select name=one><option disabled>pick<option value=2>two<optgroup><option selected> three </optgroup></select><select name=many multiple><option selected>x<option selected>y</select>
      <select name=none multiple><option>z</select><select name=first><option disabled>a<option>b</select></form>`)
    expect(form).toMatchObject({
      action: 'http://h:1/consent?k=v',
      method: 'POST',
      enctype: 'application/x-www-form-urlencoded',
      buttons: [],
    })
    expect(
      form.fields.map(
        ({ name, type, value, isSent }) =>
          `${name} ${type} ${JSON.stringify(value)}${isSent ? '' : ' not sent'}`,
      ),
    ).toEqual([
      'request hidden "a\\"b"',
      'login text "ada"',
      'password password ""',
      's checkbox "read"',
      's checkbox "on" not sent',
      'r radio "1" not sent',
      't textarea "lines\\n"',
      'one select "three"',
      'many select "x"',
      'many select "y"',
      'none select "z" not sent',
      'first select "b"',
    ])
  })

  it('has the buttons that submit it, wherever they are', () => {
    const { buttons, action, method } =
      formOf(`<base href="/base/"><form id=f><button name=decision value=approve><b>Al</b>low</button><button type=button>nothing</button><input type=reset>
      <input type=submit><input type=image name=go alt=Go><button aria-label="Close" formaction="no" formmethod=post></button></form><button form=f value=1>Outside</button><button form=g>Elsewhere</button><button>Lost</button>`)
    expect([action, method]).toEqual([at, 'GET'])
    expect(buttons).toEqual([
      {
        name: 'decision',
        value: 'approve',
        text: 'Allow',
        isImage: false,
        action: undefined,
        method: undefined,
      },
      { name: '', value: '', text: 'Submit', isImage: false, action: undefined, method: undefined },
      { name: 'go', value: '', text: 'Go', isImage: true, action: undefined, method: undefined },
      {
        name: '',
        value: '',
        text: 'Close',
        isImage: false,
        action: 'http://h:1/base/no',
        method: 'POST',
      },
      {
        name: '',
        value: '1',
        text: 'Outside',
        isImage: false,
        action: undefined,
        method: undefined,
      },
    ])
  })

  it('may be within a table', () => {
    expect(
      formOf(
        '<table><form action=/x><tr><td><input name=a><td><button>Go</button></table><input name=b>',
      ),
    ).toMatchObject({ fields: [{ name: 'a' }], buttons: [{ text: 'Go' }] })
  })
})
