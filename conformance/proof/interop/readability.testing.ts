import type { Page } from 'playwright-core'

// The parts of the DOM that this file uses. They are declared here, because the project has only
// the types of Node.
interface Box {
  left: number
  right: number
  width: number
  height: number
}
interface Element {
  tagName: string
  name?: string
  parentElement: Element | null
  textContent: string | null
  scrollWidth: number
  clientWidth: number
  getBoundingClientRect(): Box
  checkVisibility(options: object): boolean
}
interface Style {
  color: string
  backgroundColor: string
  borderTopColor: string
  fontSize: string
  outlineColor: string
  outlineStyle: string
  outlineWidth: string
}
declare const document: {
  documentElement: Element
  body: Element
  activeElement: Element | null
  querySelectorAll(selector: string): Iterable<Element>
  createTreeWalker(
    root: Element,
    kind: number,
  ): { nextNode(): { textContent: string; parentElement: Element } | null }
  createRange(): { selectNodeContents(node: object): void; getClientRects(): Iterable<Box> }
}
declare function getComputedStyle(element: Element): Style

/**
 * Finds everything that makes a page hard to read or to use. With `focus`, the focus must be
 * visible too.
 */
export const findProblems = (page: Page, { focus = false } = {}): Promise<string[]> =>
  page.evaluate(inspect, focus)

/** Runs in the page, so it must not use anything else in this file. */
function inspect(focus: boolean): string[] {
  const problems: string[] = []
  const width = document.documentElement.clientWidth
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (color: number[]): number => {
    const [red = 0, green = 0, blue = 0] = color.map((channel) =>
      channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  /** The contrast according to WCAG 2. */
  const contrast = (one: string, other: string): number => {
    const [darker = 0, lighter = 0] = [luminance(channels(one)), luminance(channels(other))].sort(
      (a, b) => a - b,
    )
    return (lighter + 0.05) / (darker + 0.05)
  }
  const backgroundOf = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (channels(backgroundColor)[3] !== 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const isOutside = ({ left, right }: Box): boolean => left < 0 || right > width
  const checkReadable = (element: Element, what: string): void => {
    const { color, fontSize } = getComputedStyle(element)
    if (parseFloat(fontSize) < 16) problems.push(`${what}: font size ${fontSize}`)
    const found = contrast(color, backgroundOf(element))
    if (found < 4.5) problems.push(`${what}: contrast ${found.toFixed(2)}`)
    if (
      !element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      })
    )
      problems.push(`${what}: invisible`)
  }

  if (document.documentElement.scrollWidth > width)
    problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${width}`)
  const nodes = document.createTreeWalker(document.body, 4)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = node.textContent.trim()
    if (text === '') continue
    const what = `"${text.slice(0, 30)}"`
    checkReadable(node.parentElement, what)
    const range = document.createRange()
    range.selectNodeContents(node)
    if ([...range.getClientRects()].some(isOutside)) problems.push(`${what}: outside`)
  }
  for (const control of document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea',
  )) {
    const box = control.getBoundingClientRect()
    const what =
      `${control.tagName.toLowerCase()} ${control.name ?? ''} ${control.textContent?.slice(0, 30) ?? ''}`.trim()
    checkReadable(control, what)
    if (isOutside(box)) problems.push(`${what}: outside`)
    if (box.height < 44 || box.width < 44) problems.push(`${what}: ${box.width} by ${box.height}`)
    const { borderTopColor } = getComputedStyle(control)
    if (contrast(borderTopColor, backgroundOf(control.parentElement)) < 3)
      problems.push(`${what}: its border has too little contrast`)
  }
  if (focus) {
    const focused = document.activeElement ?? document.body
    const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(focused)
    const isVisible =
      outlineStyle !== 'none' &&
      parseFloat(outlineWidth) >= 2 &&
      contrast(outlineColor, backgroundOf(focused.parentElement)) >= 3
    if (focused === document.body || !isVisible) problems.push('the focus is invisible')
  }
  return problems
}
