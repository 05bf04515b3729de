import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** Limits of a page. Parsing stops at them. Browsers, too, limit the depth to 512. */
const limits = { characters: 1024 * 1024, elements: 50_000, depth: 512 }

export type Element = Tree.Element
export type Node = Tree.ChildNode

/**
 * Parses HTML as a browser without scripts does. If a page exceeds a limit, returns its first part.
 */
export function parseHtml(html: string): Tree.Document {
  let [depth, elements] = [0, 0]
  const document = defaultTreeAdapter.createDocument()
  const bounded = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    createElement(...given: Parameters<typeof defaultTreeAdapter.createElement>) {
      if ((elements += 1) > limits.elements) throw new RangeError('too many elements')
      return defaultTreeAdapter.createElement(...given)
    },
    onItemPush() {
      if ((depth += 1) > limits.depth) throw new RangeError('too deep')
    },
    onItemPop() {
      depth -= 1
    },
  }
  try {
    parse(html.slice(0, limits.characters), { scriptingEnabled: false, treeAdapter: bounded })
  } catch {
    // A limit was exceeded. The document contains the part before it.
  }
  return document
}

export const isElement = (node: Node): node is Element => 'tagName' in node

/** The value of an attribute; undefined if the element does not have it. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value
}

export const hasAttribute = (element: Element, name: string): boolean =>
  attribute(element, name) !== undefined

/** Elements that do not separate words. */
const inlineElements = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const ignoredElements = new Set([
  'head',
  'script',
  'style',
  'template',
  'textarea',
  'select',
  'option',
])

/**
 * The visible text of a node, in one line. For an image, this is its alternative text, and
 * for an input button its value.
 */
export const visibleText = (node: Node | Tree.Document): string =>
  collapseSpaces(visiblePieces(node, ' '))

/** The visible text of a node, with each paragraph, heading and other block in a line. */
export const visibleLines = (node: Node | Tree.Document): string[] =>
  visiblePieces(node, '\n')
    .split('\n')
    .map(collapseSpaces)
    .filter((line) => line !== '')

/** The visible text of a node. `separator` is put around the text of each block. */
function visiblePieces(node: Node | Tree.Document, separator: string): string {
  const pieces: string[] = []
  const walk = (children: readonly Node[], keepsLines = false) => {
    for (const child of children) {
      if (child.nodeName === '#text') {
        const { value } = child as Tree.TextNode
        pieces.push(keepsLines ? value : value.replace(/\s+/g, ' '))
      }
      if (!isElement(child) || ignoredElements.has(child.tagName) || isHidden(child)) continue
      const apart = inlineElements.has(child.tagName) ? '' : separator
      pieces.push(apart)
      if (child.tagName === 'img') pieces.push(attribute(child, 'alt') ?? '')
      if (
        child.tagName === 'input' &&
        /^(submit|button|reset)$/i.test(attribute(child, 'type') ?? '')
      )
        pieces.push(attribute(child, 'value') ?? '')
      walk(child.childNodes, keepsLines || child.tagName === 'pre')
      pieces.push(apart)
    }
  }
  if ('childNodes' in node) walk(node.childNodes)
  return pieces.join('')
}

/** All text in an element, visible or not, in one line. */
export function textIn(element: Element): string {
  return collapseSpaces(
    element.childNodes
      .map((child) =>
        child.nodeName === '#text'
          ? (child as Tree.TextNode).value
          : isElement(child)
            ? textIn(child)
            : '',
      )
      .join(''),
  )
}

export const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

const isHidden = (element: Element): boolean =>
  hasAttribute(element, 'hidden') || /display\s*:\s*none/i.test(attribute(element, 'style') ?? '')

/** The values of the attribute `id` in a page. */
export function elementIds(html: string): ReadonlySet<string> {
  const ids = new Set<string>()
  const walk = (children: readonly Node[]) => {
    for (const child of children) {
      if (!isElement(child)) continue
      const id = attribute(child, 'id')
      if (id !== undefined) ids.add(id)
      walk(child.childNodes)
    }
  }
  walk(parseHtml(html).childNodes)
  return ids
}
