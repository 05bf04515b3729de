import { expect, test } from 'vitest'
import { Screen } from '../../../conformance/report/screen.ts'
import { bodyLines } from './response.ts'

const linesOf = (body: string) =>
  bodyLines(body, { screen: new Screen({ write: () => {} }, { NO_COLOR: '1' }), indent: 2 })

test('shows the title and the visible text of an HTML page', () => {
  const page =
    '<!doctype html><html><head><title>Server Error (500)</title><style>body{color:red}</style>' +
    '</head><body><h1>Server Error (500)</h1><p>Something <b>went</b>\n wrong.</p>' +
    '<script>let hidden = 1</script><pre>at line 3\nat line 9</pre></body></html>'
  expect(linesOf(page)).toEqual([
    '  | HTML page:',
    '  | Server Error (500)',
    '  | Something went wrong.',
    '  | at line 3',
    '  | at line 9',
  ])
})

test('shows the source of a page without text, and every other body as it is', () => {
  expect(linesOf('<html><img src=x></html>')).toEqual(['  | <html><img src=x></html>'])
  expect(linesOf('<p>a</p>\r\n\u0007')).toEqual(['  | <p>a</p>', '  | ␇'])
  expect(linesOf(' \n')).toEqual([])
})

test('cuts a long page', () => {
  const page = `<html><body>${'<p>line</p>'.repeat(50)}</body></html>`
  expect(linesOf(page)).toHaveLength(10)
  expect(linesOf(page).at(-1)).toBe('  | line…')
})
