// The parts of the DOM that the script uses. They are declared here, because the project only has
// the types of Node.

export interface PageElement {
  hidden: boolean
  open: boolean
  textContent: string
  readonly dataset: Record<string, string | undefined>
  readonly parentElement: PageElement | null
  readonly classList: { contains(name: string): boolean; toggle(name: string, on: boolean): void }
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  closest(selector: string): PageElement | null
  scrollIntoView(options?: object): void
  focus(options?: object): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

/** A field of the form, or several fields with the same name. */
export interface FormField extends PageElement {
  value: string
  checked: boolean
}

export interface PageEvent {
  readonly target: PageElement
  readonly key?: string
  preventDefault(): void
}

export interface PageDocument extends PageElement {
  getElementById(id: string): PageElement | null
  createRange(): { selectNodeContents(node: PageElement): void }
  execCommand(command: 'copy'): boolean
}

export interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { replaceState(state: null, title: string, url: string): void }
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } }
  getSelection(): { removeAllRanges(): void; addRange(range: object): void } | null
  setTimeout(callback: () => void, milliseconds: number): number
  clearTimeout(timer: number): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}
