// Turning records into text: the two formats, the page fields and the character limit.
import { on } from './switches.mjs'

export const CHARACTER_LIMIT = 25000
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const HINT =
  'The result was longer than 25000 characters, so fewer items are shown. Use offset to read on, or filters to narrow the result.'
let oncetruncated = false

export function size(text) {
  if (on('limit-counts-code-points')) return [...text].length
  if (on('limit-counts-bytes')) return Buffer.byteLength(text)
  return text.length
}

export function when(iso) {
  const d = new Date(iso)
  if (on('markdown-iso-timestamps')) return iso
  if (on('markdown-epoch-timestamps')) return String(d.getTime())
  const two = (n) => String(n).padStart(2, '0')
  if (on('markdown-12-hour-clock-bug'))
    return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())} ${two(d.getUTCHours() % 12)}:${two(d.getUTCMinutes())} UTC`
  if (on('markdown-month-off-by-one'))
    return `${d.getUTCFullYear()}-${two(d.getUTCMonth())}-${two(d.getUTCDate())} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())} UTC`
  const time = `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`
  if (on('markdown-dates-in-words'))
    return `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()}, ${time} UTC`
  if (on('markdown-dates-american'))
    return `${MONTHS[d.getUTCMonth()].slice(0, 3)} ${d.getUTCDate()}, ${d.getUTCFullYear()} at ${time} UTC`
  return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())} ${time} UTC`
}

export function json(value) {
  let shaped = value
  if (on('json-keys-sorted')) shaped = sortKeys(value)
  let text = JSON.stringify(shaped, null, on('json-compact') ? 0 : on('json-indent-four') ? 4 : 2)
  if (on('json-ascii-only'))
    text = text.replace(
      /[\u0080-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  if (on('json-accents-lost')) text = text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return on('json-in-code-fence') ? `\`\`\`json\n${text}\n\`\`\`` : text
}

function sortKeys(v) {
  if (Array.isArray(v)) return v.map(sortKeys)
  if (!v || typeof v !== 'object') return v
  return Object.fromEntries(
    Object.keys(v)
      .sort()
      .map((k) => [k, sortKeys(v[k])]),
  )
}

const label = (s) => (on('markdown-bold-labels') ? `**${s}**` : s)
const bullet = () => (on('markdown-star-bullets') ? '*' : '-')

function named(kind, r) {
  let name = r.name ?? r.title
  if (on('markdown-shows-name-before-change') && r.nameBefore) name = r.nameBefore
  // A line break in a name must not make a heading of its own.
  name = name.replace(/\s+/g, ' ')
  if (on('markdown-non-ascii-dropped')) name = name.replace(/[^\x20-\x7e]/g, '')
  if (on('markdown-long-names-cut')) name = [...name].slice(0, 40).join('')
  if (on('markdown-search-without-ids') && kind === 'search') return name
  if (on('markdown-get-id-first') && kind === 'get') return `${r.id} (${name})`
  return `${name} (${r.id})`
}

// Checksums and revision numbers are for programs: markdown leaves them out.
export function recordLines(kind, r) {
  const b = bullet()
  const line = (k, v) => `${b} ${label(k)}: ${v}`
  if (r.remarks !== undefined) {
    return [
      line('Accession', r.accession_id),
      line('Observer', r.observer),
      line('Germinated', `${r.germination_percent} %`),
      line('Recorded', when(r.recorded_at)),
      line('Remarks', r.remarks),
    ]
  }
  const lines = [
    line('Species', r.species),
    line('Origin', r.origin),
    line('Tags', r.tags.join(', ') || 'none'),
    line('Seeds in store', r.quantity),
  ]
  if (r.notes) lines.push(line('Notes', r.notes.replace(/\s+/g, ' ')))
  lines.push(line('Updated', when(r.updated_at)))
  if (on('markdown-get-shows-checksum') && kind === 'get') lines.push(line('Checksum', r.checksum))
  return lines
}

export function recordText(r, format) {
  if (on('get-ignores-json')) format = 'markdown'
  if (format === 'json') {
    const shown = { ...r }
    if (on('json-get-drops-null-fields'))
      for (const k of Object.keys(shown)) if (shown[k] === null) delete shown[k]
    if (on('json-get-renames-date')) {
      shown.updatedAt = shown.updated_at
      delete shown.updated_at
    }
    if (on('json-get-numbers-as-text')) shown.quantity = String(shown.quantity)
    if (on('json-get-human-dates')) shown.created_at = when(shown.created_at)
    return json(shown)
  }
  if (on('markdown-get-without-header'))
    return [named('get', r), ...recordLines('get', r)].join('\n')
  if (on('markdown-get-without-list'))
    return `# ${named('get', r)}\n\n${recordLines('get', r)
      .map((l) => l.slice(2))
      .join('; ')}`
  return [`# ${named('get', r)}`, '', ...recordLines('get', r)].join('\n')
}

function pageFields(total, offset, items, truncated, kind, wanted) {
  const n = on('truncated-count-not-lowered') && truncated ? wanted : items.length
  const end = offset + (on('truncated-next-offset-skips') && truncated ? wanted : items.length)
  let more = total > end
  if (on('has-more-on-exact-last-page')) more = total >= end
  if (on('has-more-lost-for-last-one')) more = total - 1 > end
  if (on('has-more-false-when-truncated') && truncated) more = false
  const page = {
    total: on('search-total-counts-page') && kind === 'search' ? items.length : total,
    count: n,
    offset,
  }
  if (on('list-offset-echoed-as-0') && kind === 'list') page.offset = 0
  if (on('total-shrinks-with-offset')) page.total = Math.max(0, total - offset)
  return { page, more, next: end }
}

function pageJson(kind, key, total, offset, items, truncated, wanted) {
  const { page, more, next } = pageFields(total, offset, items, truncated, kind, wanted)
  let rows = items
  if (on('search-items-shortened') && kind === 'search')
    rows = items.map(({ notes, checksum, ...rest }) => rest)
  if (on('list-items-rename-id') && kind === 'list')
    rows = items.map(({ accession_id, ...rest }) => ({ ...rest, accessionId: accession_id }))
  page[key] = rows
  page.has_more = more
  if (on('has-more-as-text') && kind === 'list') page.has_more = String(more)
  if (more)
    page.next_offset = on('next-offset-as-text')
      ? String(next)
      : on('next-offset-is-page-number')
        ? Math.floor(next / Math.max(1, wanted)) + 1
        : next
  else if (on('last-page-next-offset-0')) page.next_offset = 0
  else if (on('last-page-next-offset-given')) page.next_offset = next
  else if (!on('last-page-next-offset-missing')) page.next_offset = null
  if (truncated || (on('truncated-stays-set') && oncetruncated)) {
    oncetruncated = true
    if (!on('truncated-flag-missing')) page.truncated = on('truncated-as-text') ? 'true' : true
    page.truncation_message = hint()
    if (on('truncation-message-missing')) delete page.truncation_message
  } else if (on('truncated-false-when-whole')) page.truncated = false
  return json(page)
}

const hint = () =>
  on('truncation-message-no-advice')
    ? 'The result was longer than 25000 characters, so fewer items are shown.'
    : on('truncation-message-with-number')
      ? `${HINT} Limit: ${CHARACTER_LIMIT}.`
      : HINT

function pageMarkdown(kind, key, heading, total, offset, items, truncated, wanted) {
  const { more, next, page } = pageFields(total, offset, items, truncated, kind, wanted)
  const level = on('markdown-headings-deeper') ? '##' : '#'
  const out = [`${level} ${heading}`, '']
  if (truncated && on('markdown-truncation-on-top')) out.push(`> ${hint()}`, '')
  if (!on('markdown-without-count-line'))
    out.push(`Showing ${page.count} of ${page.total}, from offset ${offset}.`, '')
  for (const r of items) {
    out.push(`${level}# ${named(kind, r)}`, '', ...recordLines(kind, r), '')
  }
  if (more && !on('markdown-without-next-line')) out.push(`More items follow: use offset ${next}.`)
  if (truncated && !on('markdown-truncation-on-top') && !on('markdown-truncation-silent'))
    out.push(hint())
  return out.join('\n').trimEnd()
}

// kind is search or list; key names the array of items.
export function pageText(kind, key, heading, all, { limit, offset, response_format: format }) {
  let from = offset
  if (on('offset-counts-from-one') && offset > 0) from = offset - 1
  if (on('markdown-ignores-offset') && format === 'markdown') from = 0
  if (on('offset-counts-pages')) from = offset * limit
  if (on('past-end-gives-last-page') && from >= all.length) from = Math.max(0, all.length - limit)
  let items = all.slice(from, from + limit)
  if (on('markdown-ignores-limit') && format === 'markdown') items = all.slice(from)
  if (on('limit-capped-at-50')) items = items.slice(0, 50)
  if (on('limit-1-gives-2') && limit === 1) items = all.slice(from, from + 2)
  const wanted = items.length
  const build = (list, truncated) =>
    format === 'json'
      ? pageJson(kind, key, all.length, offset, list, truncated, wanted)
      : pageMarkdown(kind, key, heading, all.length, offset, list, truncated, wanted)
  const whole = build(items, false)
  let most = CHARACTER_LIMIT
  if (on('character-limit-30000')) most = 30000
  if (on('truncates-at-20000')) most = 20000
  if (on('truncates-well-below')) most = size(whole) > CHARACTER_LIMIT ? 20000 : CHARACTER_LIMIT
  if (size(whole) <= most) return whole
  if (on('markdown-not-truncated') && format === 'markdown') return whole
  if (on('json-not-truncated') && format === 'json') return whole
  if (on('later-pages-not-truncated') && offset > 0) return whole
  if (on('json-cut-in-the-middle') && format === 'json') return whole.slice(0, most)
  if (on('truncation-halves-only-once'))
    return build(items.slice(0, Math.max(1, items.length >> 1)), true)
  if (on('truncation-keeps-halving')) {
    let n = items.length
    while (n > 1 && size(build(items.slice(0, n), true)) > most) n >>= 1
    return build(items.slice(0, n), true)
  }
  const measured = (list, t) =>
    on('limit-measured-on-compact-json') && format === 'json'
      ? JSON.stringify(JSON.parse(build(list, t)))
      : build(list, t)
  let n = items.length - 1
  while (n > 1 && size(measured(items.slice(0, n), true)) > most) n -= 1
  if (on('limit-measured-before-message'))
    while (n < items.length - 1 && size(build(items.slice(0, n), false)) <= most) n += 1
  if (on('truncation-keeps-the-tail')) return build(items.slice(-n), true)
  return build(items.slice(0, n), true)
}

// One object that is not a page (an upstream answer) loses its last properties until it fits.
export function objectText(heading, value, format) {
  const build = (v, truncated) => {
    const extra = truncated ? { truncated: true, truncation_message: HINT } : {}
    if (format === 'json') return json({ ...v, ...extra })
    return [`# ${heading}`, '', ...flat(v), ...(truncated ? ['', HINT] : [])].join('\n')
  }
  const whole = build(value, false)
  if (size(whole) <= CHARACTER_LIMIT || on('upstream-answer-not-truncated')) return whole
  const entries = Object.entries(value)
  while (entries.length) {
    const [key, last] = entries[entries.length - 1]
    entries.pop()
    const rest = Object.fromEntries(entries)
    const base = size(build(rest, true))
    if (base > CHARACTER_LIMIT) continue
    // Part of a list is better than none of it.
    if (Array.isArray(last)) {
      for (let n = last.length - 1; n > 0; n = n > 8 ? Math.floor(n * 0.9) : n - 1) {
        const text = build({ ...rest, [key]: last.slice(0, n) }, true)
        if (size(text) <= CHARACTER_LIMIT) return text
      }
    } else if (typeof last === 'string') {
      for (let n = Math.min(last.length, CHARACTER_LIMIT); n > 0; n = Math.floor(n * 0.9)) {
        const text = build(
          { ...rest, [key]: [...last.slice(0, n)].join('').toWellFormed?.() ?? last.slice(0, n) },
          true,
        )
        if (size(text) <= CHARACTER_LIMIT) return text
      }
    }
    return build(rest, true)
  }
  return build({}, true)
}

function flat(v, depth = 0) {
  const pad = '  '.repeat(depth)
  const b = bullet()
  return Object.entries(v).flatMap(([k, x]) =>
    x && typeof x === 'object'
      ? [`${pad}${b} ${label(k)}:`, ...flat(x, depth + 1)]
      : [
          `${pad}${b} ${label(k)}: ${typeof x === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(x) ? when(x) : String(x)}`,
        ],
  )
}
