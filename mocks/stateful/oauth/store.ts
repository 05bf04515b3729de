import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * Stores the OAuth state of a server. A server receives it as `OAUTH_KV` in its configuration. Any
 * object with this interface can be used.
 */
export interface KeyValueStore {
  /** Undefined if the key is unknown or has expired. */
  get(key: string): Promise<string | undefined>
  /** Keeps a value until `until`, in milliseconds since the epoch; by default forever. */
  put(key: string, value: string, until?: number): Promise<void>
  delete(key: string): Promise<void>
}

type Entries = Map<string, readonly [value: string, until: number | null]>

/** Keeps everything in memory. */
export function memoryStore(now: () => number): KeyValueStore {
  return storeOf(new Map(), now, async () => {})
}

/**
 * Keeps everything in one JSON file. The file is created if necessary, and only its owner may read
 * it. Rejects if the file exists but is not such a store.
 */
export async function fileStore(path: string, now: () => number): Promise<KeyValueStore> {
  const entries: Entries = new Map(Object.entries(await read(path)))
  let lastWrite = Promise.resolve()
  // Writes a temporary file and renames it, so that the file is complete even after a crash. These
  // writes run one at a time.
  const save = () =>
    (lastWrite = lastWrite
      .catch(() => {})
      .then(async () => {
        await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(entries)), { mode: 0o600 })
        await rename(`${path}.new`, path)
      }))
  return storeOf(entries, now, save)
}

async function read(path: string): Promise<Record<string, [string, number | null]>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const entries = parseStore(text)
  if (entries === undefined) throw new Error(`${path} is not a store of clients and tokens`)
  return entries
}

/** Parses the content of a store. Undefined if it is not a store. */
export function parseStore(text: string): Record<string, [string, number | null]> | undefined {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined
  return Object.values(content).every(isEntry)
    ? (content as Record<string, [string, number | null]>)
    : undefined
}

const isEntry = (entry: unknown): boolean =>
  Array.isArray(entry) &&
  entry.length === 2 &&
  typeof entry[0] === 'string' &&
  (entry[1] === null || typeof entry[1] === 'number')

/**
 * Expired entries are removed when there are more entries than this, and again whenever the number
 * of entries has doubled.
 */
const firstSweep = 1000

function storeOf(entries: Entries, now: () => number, save: () => Promise<void>): KeyValueStore {
  const isExpired = (until: number | null) => until !== null && until <= now()
  let sweepAt = firstSweep
  return {
    async get(key) {
      const found = entries.get(key)
      return found === undefined || isExpired(found[1]) ? undefined : found[0]
    },
    async put(key, value, until) {
      entries.set(key, [value, until ?? null])
      if (entries.size > sweepAt) {
        for (const [other, [, end]] of entries) if (isExpired(end)) entries.delete(other)
        sweepAt = Math.max(firstSweep, entries.size * 2)
      }
      await save()
    },
    async delete(key) {
      if (entries.delete(key)) await save()
    },
  }
}
