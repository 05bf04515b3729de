// Accessions as resources: simple data under one parameter.
import { on } from './switches.mjs'
import { store } from './store.mjs'
import { recordText } from './render.mjs'
import { RpcError, INVALID_PARAMS, RESOURCE_NOT_FOUND } from './errors.mjs'

const SCHEME = 'seedbank://accessions/'
export const TEMPLATE = `${SCHEME}{accession_id}`
export const uriOf = (id) => SCHEME + id
const mime = () => (on('resources-as-markdown') ? 'text/markdown' : 'application/json')
const everRead = new Map()

export function idOf(uri) {
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'The uri must be a string.')
  if (!uri.startsWith(SCHEME)) return null
  try {
    return decodeURIComponent(uri.slice(SCHEME.length))
  } catch {
    return null
  }
}

// A cursor holds the last identifier shown, so that changes between two pages lose nothing.
export function list(cursor, version) {
  const size = on('resource-pages-of-ten') ? 10 : 50
  let after = ''
  if (cursor !== undefined) {
    const decoded = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
    if (!decoded.startsWith('after:') && !on('bad-cursor-taken-as-start'))
      throw new RpcError(INVALID_PARAMS, 'The cursor is not valid.')
    after = decoded.startsWith('after:') ? decoded.slice(6) : ''
  }
  if (on('resources-not-listed')) return { resources: [] }
  let pool = on('resource-list-from-start') ? store.atStart : [...store.accessions.values()]
  pool = pool.slice().sort((a, b) => (a.id < b.id ? -1 : 1))
  const from = on('resource-pages-overlap')
    ? pool.filter((r) => r.id >= after)
    : pool.filter((r) => r.id > after)
  const page = from.slice(0, size)
  const result = {
    resources: page.map((r) => {
      const shown = {
        uri: uriOf(r.id),
        name: r.name,
        description: `${r.species}, ${r.quantity} seeds.`,
        mimeType: mime(),
      }
      if (version >= '2025-06-18') shown.title = `${r.name} (${r.id})`
      if (on('resources-with-annotations'))
        shown.annotations = { audience: ['user', 'assistant'], priority: 0.5 }
      if (on('listed-resource-without-name') && r.id.endsWith('7')) delete shown.name
      return shown
    }),
  }
  const more = on('cursor-lost-before-short-page')
    ? from.length - page.length >= size
    : from.length > page.length
  if (more)
    result.nextCursor = Buffer.from(`after:${page[page.length - 1].id}`).toString('base64url')
  else if (on('last-cursor-is-null')) result.nextCursor = null
  else if (on('last-cursor-leads-to-empty-page') && page.length)
    result.nextCursor = Buffer.from(`after:${page.at(-1).id}`).toString('base64url')
  return result
}

export function templates(version) {
  const t = {
    uriTemplate: on('template-without-parameter') ? SCHEME : TEMPLATE,
    name: 'accession',
    description: 'One accession by its identifier.',
    mimeType: mime(),
  }
  if (version >= '2025-06-18') t.title = 'Accession'
  if (on('template-name-missing')) delete t.name
  if (on('template-with-other-scheme')) t.uriTemplate = 'seeds://accessions/{accession_id}'
  return { resourceTemplates: [t] }
}

export function read(uri) {
  const id = idOf(uri)
  let record = id === null ? undefined : store.get(id)
  if (on('deleted-resource-still-read') && !record && everRead.has(id)) record = everRead.get(id)
  if (on('resource-reads-remembered') && everRead.has(id)) record = everRead.get(id)
  if (!record) {
    if (on('missing-resource-read-as-empty')) return { contents: [] }
    throw new RpcError(
      on('missing-resource-code-is-internal') ? -32603 : RESOURCE_NOT_FOUND,
      'Resource not found',
      on('missing-resource-without-uri') ? undefined : { uri },
    )
  }
  everRead.set(id, { ...record })
  const content = {
    uri,
    mimeType: mime(),
    text: on('resources-as-markdown') ? recordText(record, 'markdown') : JSON.stringify(record),
  }
  if (on('read-resource-without-uri')) delete content.uri
  if (on('read-resource-text-is-object')) content.text = { ...record }
  if (on('read-resource-uri-of-list')) content.uri = SCHEME
  return { contents: [content] }
}
