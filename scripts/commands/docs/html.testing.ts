import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { attribute, isElement, type Element } from '../../../conformance/wire/oauth/tree.ts'

/**
 * Returns all elements of a page or below an element, in their order. `parseHtml` of the suite is
 * not used, because it limits the size of pages.
 */
export function elementsIn(page: string | DefaultTreeAdapterTypes.ParentNode): Element[] {
  const found: Element[] = []
  const collect = ({ childNodes }: DefaultTreeAdapterTypes.ParentNode) => {
    for (const child of childNodes.filter(isElement)) {
      found.push(child)
      collect(child)
    }
  }
  collect(typeof page === 'string' ? parse(page) : page)
  return found
}

export const hasClass = (element: Element, name: string): boolean =>
  (attribute(element, 'class') ?? '').split(' ').includes(name)
