import { createHash } from 'node:crypto'
import { markup, Markup } from './markup.ts'

/** A page that loads nothing. */
interface Page {
  title: string
  style: string
  /** The page must be readable without it. */
  script: string
  /** The label of the link with which a keyboard skips to `<main id="main">`. */
  skip: string
  body: Markup
  /** Identifies the program that wrote the file, in a comment in its second line. */
  writer?: string
}

/**
 * Returns a page as HTML. Its content security policy allows only its own script and style, so no
 * string in it can run or load anything, even if the string was not escaped.
 */
export function htmlDocument({ title, style, script, skip, body, writer }: Page): string {
  return markup`<!doctype html>
${writer === undefined ? '' : markup`<!-- ${writer} -->\n`}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">${skip}</a>
${body}
<script>${new Markup(script)}</script>
</body>
</html>
`.text
}

function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Returns a script that calls functions with the window. Their sources are written into the page,
 * so they must not use anything else in their files.
 */
export function scriptOf(...functions: readonly ((window: never) => void)[]): string {
  const calls = functions.map((one) => `(${one.toString()})(window)`)
  // tsx adds calls of `__name` to functions.
  return `(() => { const __name = (value) => value; ${calls.join('; ')} })()`
}
