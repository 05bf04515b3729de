import { enableCopyButtons } from './copy-buttons.ts'
import { scriptOf } from './document.ts'
import type { FormField, PageElement, PageWindow } from './dom.ts'

/**
 * The script of the report: search, filters, and links to requirements. Its source is
 * written into the page, so it must not use anything else in this file. It only hides, shows and
 * opens parts of the page.
 */
function enhance(window: PageWindow): void {
  const { document, location } = window
  const form = document.getElementById('filter')!
  const shown = document.getElementById('shown')!
  const field = (name: string) => form.querySelector(`[name="${name}"]`) as FormField
  const boxes = [...form.querySelectorAll('[name="outcome"]')] as FormField[]
  const topics = [...document.querySelectorAll('details.topic')]
  const requirements = [...document.querySelectorAll('details.requirement')].map((element) => ({
    element,
    topic: element.closest('details.topic'),
    section: element.closest('section')!,
    outcomes: (element.dataset['outcomes'] ?? '').split(' '),
    text: '',
  }))

  /** The text that the search examines: all but the exchanges. Collected at the first search. */
  function textOf(one: (typeof requirements)[number]): string {
    if (one.text === '')
      one.text = [...one.element.querySelectorAll('summary, .facts, .sides, .title, li')]
        .filter((part) => part.closest('.exchanges') === null)
        .map(({ textContent }) => textContent)
        .join(' ')
        .toLowerCase()
    return one.text
  }

  function apply(): void {
    const words = field('q').value.toLowerCase().split(/\s+/).filter(Boolean)
    const level = field('level').value
    const topic = field('topic').value
    const outcomes = boxes.filter(({ checked }) => checked).map(({ value }) => value)
    const isFiltered = words.length > 0 || level !== '' || topic !== '' || outcomes.length > 0
    const filled = new Set<PageElement>()
    let number = 0
    for (const one of requirements) {
      const { element } = one
      const isShown =
        (level === '' || element.dataset['level'] === level) &&
        (topic === '' || element.dataset['topic'] === topic) &&
        (outcomes.length === 0 || outcomes.some((outcome) => one.outcomes.includes(outcome))) &&
        words.every((word) => textOf(one).includes(word))
      element.hidden = !isShown
      if (!isShown) continue
      number += 1
      filled.add(one.section)
      if (one.topic !== null) filled.add(one.topic)
    }
    for (const one of topics) {
      one.hidden = !filled.has(one)
      // A filter opens topics that contain matches. Without a filter, topics are open or closed
      // as they were before.
      if (isFiltered && one.dataset['before'] === undefined)
        one.dataset['before'] = String(one.open)
      if (isFiltered) one.open = true
      else if (one.dataset['before'] !== undefined) {
        one.open = one.dataset['before'] === 'true'
        delete one.dataset['before']
      }
    }
    for (const { section } of requirements) section.hidden = !filled.has(section)
    shown.textContent = `${number} of ${requirements.length} requirements`
    document.querySelector('main')!.classList.toggle('filtered', isFiltered)
    remember({ q: field('q').value, level, topic, outcome: outcomes.join(',') })
  }

  /** Keeps the filter in the address, so that the user can share or reload it. */
  function remember(filter: Record<string, string>): void {
    const set = Object.entries(filter).filter(([, value]) => value !== '')
    const hash = new URLSearchParams(set).toString()
    if (hash !== '') window.history.replaceState(null, '', `#${hash}`)
    else if (location.hash.includes('='))
      window.history.replaceState(null, '', location.pathname + location.search)
  }

  /** Follows the address: a filter, or the id of a requirement. */
  function follow(): void {
    const hash = location.hash.slice(1)
    if (hash.includes('=')) {
      const filter = new URLSearchParams(hash)
      for (const name of ['q', 'level', 'topic']) field(name).value = filter.get(name) ?? ''
      const outcomes = (filter.get('outcome') ?? '').split(',')
      for (const box of boxes) box.checked = outcomes.includes(box.value)
      return apply()
    }
    let linked: PageElement | null = null
    try {
      linked = document.getElementById(decodeURIComponent(hash))
    } catch {
      // The address is malformed, so there is nothing to open.
    }
    if (linked === null) return
    if (linked.closest('[hidden]') !== null) clear()
    for (let part: PageElement | null = linked; part !== null; part = part.parentElement)
      if (part.open === false) part.open = true
    linked.scrollIntoView()
    if (linked.classList.contains('requirement')) linked.querySelector('summary')!.focus()
  }

  function clear(): void {
    for (const name of ['q', 'level', 'topic']) field(name).value = ''
    for (const box of boxes) box.checked = false
    const { hash } = location
    apply()
    // Without a filter, the address is again that of the requirement.
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
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    apply()
  })
  document.addEventListener('click', (event) => {
    // A link to the current address does not change it, so the browser emits no `hashchange`.
    const link = event.target.closest('a[href^="#"]')
    if (link !== null) window.setTimeout(follow, 0)
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
  // After loading, the browser scrolls to the address, and then removes the focus.
  window.addEventListener('load', () => window.setTimeout(follow, 0))
}

export const script = scriptOf(enableCopyButtons, enhance)
