// Tools that only look.
import { on } from './switches.mjs'
import { store } from './store.mjs'
import { common } from './schema.mjs'
import { ToolFailure } from './failure.mjs'
import { pageText, recordText, objectText, json } from './render.mjs'
import { station } from './upstream.mjs'

export const ACCESSION_ID = {
  type: 'string',
  pattern: '^ACC-[0-9A-F]{4,12}$',
  maxLength: 16,
  description: 'Identifier of the accession, for instance ACC-0007.',
}
export const TAGS = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 40 },
  maxItems: 10,
  description: 'Tags, at most 10.',
}
const looks = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const seen = new Map()

export function find(id) {
  const record = store.get(id)
  if (!record) throw new ToolFailure(`Accession ${id} was not found. Please check the identifier.`)
  return record
}

const fold = (s) =>
  s
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')

function matches(r, query, tags) {
  const plain = on('search-folds-accents')
    ? fold
    : on('search-minds-case')
      ? (s) => s
      : (s) => s.toLowerCase()
  let hay = [r.name, r.species]
  if (on('search-looks-in-names-only')) hay = [r.name]
  if (on('search-looks-in-notes')) hay.push(r.notes ?? '')
  if (on('search-looks-in-tags')) hay.push(...r.tags)
  if (on('search-knows-identifiers')) hay.push(r.id)
  const text = plain(hay.join('\n'))
  const q = plain(query)
  let hit = text.includes(q)
  if (on('search-any-order-of-words')) hit = q.split(/\s+/).every((w) => text.includes(w))
  if (on('search-at-word-starts'))
    hit = text.split(/\s+/).some((_, i, words) => words.slice(i).join(' ').startsWith(q))
  const has = (t) => r.tags.includes(t)
  const wanted = on('search-only-first-tag-filters') ? tags.slice(0, 1) : tags
  return (
    hit && (on('search-any-tag-is-enough') ? !tags.length || tags.some(has) : wanted.every(has))
  )
}

function searched(args) {
  let pool = store.ordered()
  if (on('search-misses-new-records'))
    pool = pool.filter((r) => store.atStart.some((s) => s.id === r.id))
  if (on('search-finds-deleted-records'))
    pool = [...pool, ...store.atStart.filter((s) => !store.get(s.id))]
  if (on('search-uses-names-from-start')) {
    return pool.filter((r) =>
      matches(
        { ...r, name: store.atStart.find((s) => s.id === r.id)?.name ?? r.name },
        args.query,
        args.tags ?? [],
      ),
    )
  }
  return pool.filter((r) => matches(r, args.query, args.tags ?? []))
}

function noMatch(query) {
  if (on('no-match-gives-blank-text')) return ''
  if (on('no-match-text-in-general')) return 'No accessions matched the query.'
  return `No accessions matched the query '${query}'.`
}

function search(args) {
  if (on('search-ignores-format-after-first-page') && args.offset > 0)
    args.response_format = 'markdown'
  const found = searched(args)
  if (!found.length || (on('past-end-told-as-no-match') && args.offset >= found.length)) {
    if (on('no-match-told-as-error')) throw new ToolFailure(noMatch(args.query))
    if (args.response_format === 'json') {
      if (on('no-match-json-is-page')) {
        return json({
          total: 0,
          count: 0,
          offset: args.offset,
          accessions: [],
          has_more: false,
          next_offset: null,
          message: noMatch(args.query),
        })
      }
      if (on('no-match-json-is-bare-list')) return '[]'
    } else if (on('no-match-markdown-is-empty-page'))
      return '# Accessions\n\nShowing 0 of 0, from offset 0.'
    return noMatch(args.query)
  }
  return pageText(
    'search',
    'accessions',
    `Accessions matching '${args.query.replace(/\s+/g, ' ')}'`,
    found,
    args,
  )
}

function get(args, ctx) {
  let record = find(args.accession_id)
  if (on('get-counts-views')) {
    record.views = (record.views ?? 0) + 1
  }
  if (on('get-touches-update-time')) record.updated_at = new Date().toISOString()
  if (on('get-remembers-first-answer')) {
    if (!seen.has(record.id)) seen.set(record.id, { ...record })
    record = seen.get(record.id)
  }
  if (on('get-remembers-per-session')) {
    ctx.session.seen ??= new Map()
    if (!ctx.session.seen.has(record.id)) ctx.session.seen.set(record.id, { ...record })
    record = ctx.session.seen.get(record.id)
  }
  return recordText(record, args.response_format)
}

function list(args) {
  let rows = store.observations.filter(
    (o) => !args.accession_id || o.accession_id === args.accession_id,
  )
  if (on('observations-go-with-accession')) rows = rows.filter((o) => store.get(o.accession_id))
  if (on('list-newest-first')) rows = rows.slice().reverse()
  if (on('list-order-turns') && args.offset > 0) rows = rows.slice().reverse()
  if (on('list-filter-lost-on-later-pages') && args.offset > 0) rows = store.observations
  if (!rows.length && args.response_format === 'markdown') return 'No observations are recorded.'
  return pageText('list', 'observations', 'Observations', rows, args)
}

async function climate(args, ctx) {
  let answer
  try {
    answer = await station(args.station_id, ctx.signal)
  } catch (error) {
    if (!ctx.signal.aborted) ctx.log('error', `Station ${args.station_id} could not be read.`)
    throw error
  }
  ctx.log('info', `Station ${args.station_id} read.`)
  return objectText(`Climate station (${args.station_id})`, answer, args.response_format)
}

export const readTools = [
  {
    name: 'seedbank_search_accessions',
    title: 'Search accessions',
    kind: 'search',
    hints: looks,
    run: search,
    description:
      'Searches the stored accessions by text, such as the name or species. Arguments: query (2 to 200 characters), tags (all must match), response_format, limit, offset. ' +
      'Returns one page of matching accessions: markdown text, or JSON with total, count, offset, accessions, has_more and next_offset. Do not use it when the identifier is known; use seedbank_get_accession.',
    input: {
      query: { type: 'string', minLength: 2, maxLength: 200, description: 'Text to look for.' },
      tags: TAGS,
      ...common,
    },
    required: ['query'],
  },
  {
    name: 'seedbank_get_accession',
    title: 'Get an accession',
    kind: 'get',
    hints: looks,
    run: get,
    description:
      'Gets one accession. Arguments: accession_id, response_format. Returns the accession as markdown text or as a JSON object with all fields. Do not use it to find accessions by name; use seedbank_search_accessions.',
    input: { accession_id: ACCESSION_ID, response_format: common.response_format },
    required: ['accession_id'],
  },
  {
    name: 'seedbank_list_observations',
    title: 'List germination observations',
    kind: 'list',
    hints: looks,
    run: list,
    description:
      'Lists germination observations. Arguments: accession_id (optional filter), response_format, limit, offset. ' +
      'Returns one page: markdown text, or JSON with total, count, offset, observations, has_more and next_offset. Do not use it for the accessions themselves; use seedbank_search_accessions.',
    input: { accession_id: ACCESSION_ID, ...common },
  },
  {
    name: 'seedbank_get_climate',
    title: 'Get climate of a station',
    kind: 'climate',
    hints: { ...looks, openWorldHint: true },
    run: climate,
    description:
      'Asks the climate service for one weather station. Arguments: station_id, response_format. Returns what the service tells as markdown text or as JSON. Do not use it for the climate inside the store.',
    input: {
      station_id: {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$',
        minLength: 1,
        maxLength: 40,
        description: 'Identifier of the station, for instance ST-100.',
      },
      response_format: common.response_format,
    },
    required: ['station_id'],
  },
]
