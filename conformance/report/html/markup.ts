import { showHidden } from '../../engine/index.ts'
/** Safe HTML: all strings in it are escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Child = Markup | string | number | undefined | readonly Child[]

/**
 * Makes HTML. Escapes values that are not markup, joins lists, and omits undefined. Attributes must
 * be quoted.
 *
 * @example
 *   markup`<p title="${'a "b"'}">${'1 < 2'}</p>` // <p title="a &quot;b&quot;">1 &lt; 2</p>
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Child[]): Markup {
  return new Markup(
    parts.map((part, index) => (index === 0 ? part : textOf(values[index - 1]) + part)).join(''),
  )
}

function textOf(child: Child): string {
  if (child === undefined) return ''
  if (child instanceof Markup) return child.text
  if (typeof child === 'object') return child.map(textOf).join('')
  return escaped(String(child))
}

/** Escapes a string for an element or a quoted attribute of HTML. */
export function escaped(text: string): string {
  return showHidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
