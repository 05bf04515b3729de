import type { PageElement, PageWindow } from './dom.ts'
import { markup, type Markup } from './markup.ts'

/** A button that copies the `code` or `pre` before it. The script shows it. */
export const copyButton = (name: string): Markup =>
  markup`<button type="button" class="copy" hidden><span class="label">Copy</span><span class="unseen"> ${name}</span></button>`

/**
 * Shows the copy buttons and makes them work. Announces the result in the element `#shown`. Its
 * source is written into the page, so it must not use anything else in this file.
 */
export function enableCopyButtons(window: PageWindow): void {
  const { document } = window
  const shown = document.getElementById('shown')!

  async function copy(button: PageElement): Promise<void> {
    const code = button.parentElement!.querySelector('code, pre')!
    let isCopied = false
    try {
      await window.navigator.clipboard!.writeText(code.textContent)
      isCopied = true
    } catch {
      // The clipboard API is missing or not allowed. The older API needs a selection, which also
      // lets the user copy by hand.
      const range = document.createRange()
      range.selectNodeContents(code)
      window.getSelection()?.removeAllRanges()
      window.getSelection()?.addRange(range)
      isCopied = document.execCommand('copy')
    }
    const label = button.querySelector('.label')!
    label.textContent = isCopied ? 'Copied' : 'Selected'
    shown.textContent = isCopied ? 'Copied to the clipboard' : 'Selected: press Ctrl+C'
    window.setTimeout(() => (label.textContent = 'Copy'), 2000)
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button.copy')
    if (button !== null) void copy(button)
  })
  for (const button of document.querySelectorAll('button.copy')) button.hidden = false
}
