import { enableCopyButtons } from '../../../conformance/report/html/copy-buttons.ts'
import { scriptOf } from '../../../conformance/report/html/document.ts'
import type { FormField, PageElement, PageWindow } from '../../../conformance/report/html/dom.ts'

/**
 * The script of the pages: search, and links to requirements. Its source is written into the page,
 * so it must not use anything else in this file. It only hides, shows and opens parts of the page.
 */
function enhance(window: PageWindow): void {
  const { document, location } = window
  const form = document.getElementById('filter')!
  const shown = document.getElementById('shown')!
  const field = (name: string) => form.querySelector(`[name="${name}"]`) as FormField
  // Groups contain items, and possibly other groups. They are hidden if all their items are.
  const groups = [...document.querySelectorAll('[data-group]')]
  // Parts that are neither: a search hides them, so that its results are at the top.
  const others = [...document.querySelectorAll('[data-other]')]
  const items = [...document.querySelectorAll('[data-item]')].map((element) => {
    const around: PageElement[] = []
    for (let part = element.parentElement; part !== null; part = part.parentElement)
      if (part.dataset['group'] !== undefined) around.push(part)
    return { element, around, text: '' }
  })

  function apply(): void {
    const words = field('q').value.toLowerCase().split(/\s+/).filter(Boolean)
    const level = field('level').value
    const isFiltered = words.length > 0 || level !== ''
    const filled = new Set<PageElement>()
    let number = 0
    for (const item of items) {
      const { element, around } = item
      // The text is collected at the first search.
      if (words.length > 0 && item.text === '')
        item.text = `${element.textContent} ${element.dataset['text'] ?? ''}`.toLowerCase()
      const isShown =
        (level === '' || element.dataset['level'] === level) &&
        words.every((word) => item.text.includes(word))
      element.hidden = !isShown
      if (!isShown) continue
      number += 1
      for (const group of around) filled.add(group)
    }
    for (const group of groups) {
      group.hidden = !filled.has(group)
      // A search opens the groups that contain results. Afterwards they are open or closed as they
      // were before.
      if (isFiltered && group.dataset['before'] === undefined)
        group.dataset['before'] = String(group.open)
      if (isFiltered) group.open = true
      else if (group.dataset['before'] !== undefined) {
        group.open = group.dataset['before'] === 'true'
        delete group.dataset['before']
      }
    }
    for (const other of others) other.hidden = isFiltered
    shown.textContent =
      number === 0
        ? `Nothing here contains all of these words`
        : `${number} of ${items.length} requirements and definitions`
    remember({ q: field('q').value, level })
  }

  /** Keeps the search in the address, so that the user can share or reload it. */
  function remember(filter: Record<string, string>): void {
    const set = Object.entries(filter).filter(([, value]) => value !== '')
    const hash = new URLSearchParams(set).toString()
    if (hash !== '') window.history.replaceState(null, '', `#${hash}`)
    else if (location.hash.includes('='))
      window.history.replaceState(null, '', location.pathname + location.search)
  }

  /** Follows the address: a search, or the id of a requirement or definition. */
  function follow(): void {
    const hash = location.hash.slice(1)
    if (hash.includes('=')) {
      const filter = new URLSearchParams(hash)
      for (const name of ['q', 'level']) field(name).value = filter.get(name) ?? ''
      return apply()
    }
    let linked: PageElement | null = null
    try {
      linked = document.getElementById(decodeURIComponent(hash))
    } catch {
      // The address is malformed, so there is nothing to show.
    }
    if (linked === null) return
    if (linked.closest('[hidden]') !== null) clear()
    for (let part: PageElement | null = linked; part !== null; part = part.parentElement)
      if (part.open === false) part.open = true
    linked.scrollIntoView()
  }

  function clear(): void {
    for (const name of ['q', 'level']) field(name).value = ''
    const { hash } = location
    apply()
    // Without a search, the address is again that of the requirement.
    if (hash !== '' && !hash.includes('=')) window.history.replaceState(null, '', hash)
  }

  let timer = 0
  form.addEventListener('input', () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(apply, 150)
  })
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    clear()
    field('q').focus()
  })
  // Enter moves to the first result.
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    apply()
    const result = items.find(({ element }) => !element.hidden)
    result?.element.querySelector('a, summary')?.focus()
  })
  document.addEventListener('click', (event) => {
    // A link to the current address does not change it, so the browser emits no `hashchange`.
    if (event.target.closest('a[href*="#"]') !== null) window.setTimeout(follow, 0)
  })
  document.addEventListener('keydown', (event) => {
    const isWriting = event.target.closest('input, select') !== null
    if (event.key !== '/' || isWriting) return
    event.preventDefault()
    field('q').focus()
  })
  window.addEventListener('hashchange', follow)
  form.hidden = false
  if (!location.hash.includes('=')) apply()
  follow()
}

export const script = scriptOf(enableCopyButtons, enhance)
