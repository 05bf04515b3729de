import { isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { listAll } from './list-pages.ts'

/** The maximum number of listed resources that are read. */
const maxReads = 10

interface ListedRead {
  readonly uri: string
  readonly read: McpExchange
}

/** The results of reading the listed resources. */
export interface ListedReads {
  /** The number of resources that were read. */
  readonly count: number
  /** Responses without contents, for URIs that the server still lists. */
  readonly unreadable: readonly ListedRead[]
  /** Second responses without data, for URIs whose first response has data. */
  readonly emptied: readonly ListedRead[]
}

export const contentsOf = ({ result }: McpExchange): readonly unknown[] => {
  const contents = result?.['contents']
  return Array.isArray(contents) ? (contents as unknown[]) : []
}

/** Accepts an empty list of contents, for example that of an empty folder. */
const isReadable = ({ result }: McpExchange): boolean => Array.isArray(result?.['contents'])

const hasData = (exchange: McpExchange): boolean =>
  contentsOf(exchange).some(
    (content) => isObject(content) && Boolean(content['text'] ?? content['blob']),
  )

/** The URIs of the listed resources. */
export async function listUris(session: Session): Promise<string[]> {
  const { entries } = await listAll(session, 'resources/list', 'resources')
  return entries
    .map((entry) => (isObject(entry) ? entry['uri'] : undefined))
    .filter((uri) => typeof uri === 'string')
}

/**
 * Reads the first listed resources, each of them twice. Requests the list again if a resource
 * could not be read, because a resource may disappear at any time.
 */
export async function readListed(session: Session): Promise<ListedReads> {
  const uris = (await listUris(session)).slice(0, maxReads)
  const unreadable: ListedRead[] = []
  const emptied: ListedRead[] = []
  for (const uri of uris) {
    const first = await session.request('resources/read', { uri })
    const read = await session.request('resources/read', { uri })
    if (!isReadable(first) && !isReadable(read)) unreadable.push({ uri, read })
    else if (hasData(first) && isReadable(read) && !hasData(read)) emptied.push({ uri, read })
  }
  const wrong = unreadable.length + emptied.length
  const listed = new Set(wrong === 0 ? [] : await listUris(session))
  const isListed = ({ uri }: ListedRead) => listed.has(uri)
  return {
    count: uris.length,
    unreadable: unreadable.filter(isListed),
    emptied: emptied.filter(isListed),
  }
}
