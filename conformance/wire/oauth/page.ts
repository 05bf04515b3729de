import { formsOf } from './forms.ts'
import type { PageForm } from './page-form.ts'
import {
  attribute,
  hasAttribute,
  isElement,
  visibleText,
  textIn,
  parseHtml,
  type Element,
  type Node,
} from './tree.ts'

/** A link of a page. */
export interface PageLink {
  text: string
  /** The absolute URL. */
  href: string
}

/** The contents of a page, for a browser without scripts. */
export interface HtmlPage {
  url: string
  title: string
  /** The visible text, in one line. */
  text: string
  forms: readonly PageForm[]
  links: readonly PageLink[]
  /** The refresh of the page (`<meta http-equiv="refresh">`). */
  refresh: { seconds: number; url: string } | undefined
  /** Whether the page contains scripts. */
  hasScripts: boolean
}

/**
 * Parses a page. Never throws. If a page is too large or too deeply nested, returns its first
 * part.
 */
export function readPage(html: string, url: string): HtmlPage {
  const document = parseHtml(html)
  const all = elementsIn(document.childNodes)
  const resolve = resolverOf(all, url)
  const title = all.find(({ tagName }) => tagName === 'title')
  return {
    url,
    title: title === undefined ? '' : textIn(title),
    text: visibleText(document),
    forms: formsOf(document.childNodes, resolve, url),
    links: all.flatMap((element) => {
      const href =
        element.tagName === 'a' || element.tagName === 'area'
          ? resolve(attribute(element, 'href'))
          : undefined
      return href === undefined
        ? []
        : [
            {
              text:
                visibleText(element) ||
                (attribute(element, 'aria-label') ?? attribute(element, 'alt') ?? ''),
              href,
            },
          ]
    }),
    refresh: refreshOf(all, resolve, url),
    hasScripts: all.some(hasScript),
  }
}

function elementsIn(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) => (isElement(node) ? [node, ...elementsIn(node.childNodes)] : []))
}

/** Resolves URLs against the base of the page. */
function resolverOf(
  all: readonly Element[],
  url: string,
): (address: string | undefined) => string | undefined {
  const absolute = (address: string | undefined, base: string) =>
    address !== undefined && URL.canParse(address.trim(), base)
      ? new URL(address.trim(), base).href
      : undefined
  const named = all.find((element) => element.tagName === 'base' && hasAttribute(element, 'href'))
  const base = (named === undefined ? undefined : absolute(attribute(named, 'href'), url)) ?? url
  return (address) => absolute(address, base)
}

function refreshOf(
  all: readonly Element[],
  resolve: (address: string) => string | undefined,
  own: string,
): HtmlPage['refresh'] {
  for (const element of all) {
    if (
      element.tagName !== 'meta' ||
      attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh'
    )
      continue
    const match = /^\s*(\d+)[\d.]*\s*(?:$|[;,\s]\s*(?:url\s*=\s*)?(["']?)(.*?)\2\s*$)/i.exec(
      attribute(element, 'content') ?? '',
    )
    const url =
      match === null
        ? undefined
        : match[3] === undefined || match[3] === ''
          ? own
          : resolve(match[3])
    if (url !== undefined) return { seconds: Number(match![1]), url }
  }
  return undefined
}

/**
 * Whether an element has a script, an event handler, or a javascript: URL. Data in script elements
 * (JSON, templates) is not a script.
 */
function hasScript(element: Element): boolean {
  if (element.tagName === 'script')
    return /^\s*($|module$|(text|application)\/(x-)?(java|ecma)script)/i.test(
      attribute(element, 'type') ?? '',
    )
  return element.attrs.some(
    ({ name, value }) => /^on[a-z]/.test(name) || /^\s*javascript:/i.test(value),
  )
}
