import { readdirSync, readFileSync } from 'node:fs'

/** The tools of a published server, as it listed them. */
export interface RecordedServer {
  /** The package on npm. */
  package: string
  version: string
  license: string
  /** The name in the result of initialize. */
  serverName: string
  tools: readonly Record<string, unknown>[]
}

interface Source extends Omit<RecordedServer, 'tools'> {
  file: string
  tools: number
  /**
   * `replaced`: neutral strings of about the same length replace the descriptions, because the
   * words belong to their authors.
   */
  descriptions: 'original' | 'replaced'
}

const folder = new URL('recorded/', import.meta.url)
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

/** Returns the recorded servers. Throws if their list and the files differ. */
export function readRecordedServers(): RecordedServer[] {
  const sources = read('sources.json') as Source[]
  const files = readdirSync(folder).filter((name) => name !== 'sources.json')
  if (JSON.stringify(sources.map(({ file }) => file).sort()) !== JSON.stringify(files.sort()))
    throw new Error('sources.json and the files of conformance/definitions/recorded differ')
  return sources.map(({ file, tools: count, descriptions: _, ...source }) => {
    const { tools } = read(file) as Pick<RecordedServer, 'tools'>
    if (tools.length !== count) throw new Error(`${file} does not contain ${count} tools`)
    return { ...source, tools }
  })
}
