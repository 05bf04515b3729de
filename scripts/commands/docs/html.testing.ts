import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: Node): node is Element => 'tagName' in node

/** Returns all elements of a page or below an element, in their order. */
export function elementsIn(page: string | Node): Element[] {
  const node = typeof page === 'string' ? parse(page) : page
  const children = 'childNodes' in node ? node.childNodes : []
  return children.flatMap((child) => [...(isElement(child) ? [child] : []), ...elementsIn(child)])
}

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

export const hasClass = (element: Element, name: string): boolean =>
  (attributeOf(element, 'class') ?? '').split(' ').includes(name)

/** Returns the text of an element, with single spaces. */
export function textOf(element: Node): string {
  const text = (node: Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(text).join('') : ''
  return text(element).replaceAll(/\s+/g, ' ').trim()
}
