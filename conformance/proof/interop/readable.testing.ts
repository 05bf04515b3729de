import type { Page } from 'playwright-core'

// As much of a page's own world as is asked for here: the project's types are those of Node.
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

/** Everything that makes a page hard to read or to use, in words; `focus` also asks whether one sees what has the focus. */
export const faultsOf = (page: Page, { focus = false } = {}): Promise<string[]> =>
  page.evaluate(inspect, focus)

/** Runs in the page, and so knows nothing of this file. */
function inspect(focus: boolean): string[] {
  const faults: string[] = []
  const width = document.documentElement.clientWidth
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number)
  const light = (color: number[]): number => {
    const [red = 0, green = 0, blue = 0] = color.map((channel) =>
      channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  /** As WCAG 2 has it. */
  const contrast = (one: string, other: string): number => {
    const [darker = 0, lighter = 0] = [light(channels(one)), light(channels(other))].sort(
      (a, b) => a - b,
    )
    return (lighter + 0.05) / (darker + 0.05)
  }
  const behind = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (channels(backgroundColor)[3] !== 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const isOutside = ({ left, right }: Box): boolean => left < 0 || right > width
  const readable = (element: Element, what: string): void => {
    const { color, fontSize } = getComputedStyle(element)
    if (parseFloat(fontSize) < 16) faults.push(`${what}: letters of ${fontSize}`)
    const found = contrast(color, behind(element))
    if (found < 4.5) faults.push(`${what}: a contrast of ${found.toFixed(2)}`)
    if (
      !element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      })
    )
      faults.push(`${what}: not to be seen`)
  }

  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide, its window ${width}`)
  const texts = document.createTreeWalker(document.body, 4)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const said = text.textContent.trim()
    if (said === '') continue
    const what = `"${said.slice(0, 30)}"`
    readable(text.parentElement, what)
    const range = document.createRange()
    range.selectNodeContents(text)
    if ([...range.getClientRects()].some(isOutside)) faults.push(`${what}: outside`)
  }
  for (const control of document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea',
  )) {
    const box = control.getBoundingClientRect()
    const what =
      `${control.tagName.toLowerCase()} ${control.name ?? ''} ${control.textContent?.slice(0, 30) ?? ''}`.trim()
    readable(control, what)
    if (isOutside(box)) faults.push(`${what}: outside`)
    if (box.height < 44 || box.width < 44) faults.push(`${what}: ${box.width} by ${box.height}`)
    const { borderTopColor } = getComputedStyle(control)
    if (contrast(borderTopColor, behind(control.parentElement)) < 3)
      faults.push(`${what}: its edge is hardly to be seen`)
  }
  if (focus) {
    const focused = document.activeElement ?? document.body
    const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(focused)
    const isSeen =
      outlineStyle !== 'none' &&
      parseFloat(outlineWidth) >= 2 &&
      contrast(outlineColor, behind(focused.parentElement)) >= 3
    if (focused === document.body || !isSeen) faults.push('nobody sees what has the focus')
  }
  return faults
}
