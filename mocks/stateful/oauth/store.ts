import { readFile, rename, writeFile } from 'node:fs/promises'

/** What a server remembers of OAuth lies in one of these, bound under the name OAUTH_KV. Any other of the same form fits. */
export interface KeyValueStore {
  /** Undefined for what there never was, and for what has ended. */
  get(key: string): Promise<string | undefined>
  /** Keeps a value until `until`, in milliseconds since the epoch; for ever where it is not given. */
  put(key: string, value: string, until?: number): Promise<void>
  delete(key: string): Promise<void>
}

type Kept = Map<string, readonly [value: string, until: number | null]>

/** Forgets everything when the process ends. */
export function memoryStore(now: () => number): KeyValueStore {
  return storeOf(new Map(), now, async () => {})
}

/** Keeps everything in one file of JSON, which is made where there is none and which only its owner may read. What is no such file rejects. */
export async function fileStore(path: string, now: () => number): Promise<KeyValueStore> {
  const kept: Kept = new Map(Object.entries(await read(path)))
  let written = Promise.resolve()
  // Written beside and put in its place, so that whoever starts after a crash finds a whole file; one after the other, the newest last.
  const save = () =>
    (written = written
      .catch(() => {})
      .then(async () => {
        await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 })
        await rename(`${path}.new`, path)
      }))
  return storeOf(kept, now, save)
}

async function read(path: string): Promise<Record<string, [string, number | null]>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text) as Record<string, [string, number | null]>
}

/** Beyond so many entries those that have ended are looked for, and each time that they have doubled. */
const fewEntries = 1000

function storeOf(kept: Kept, now: () => number, save: () => Promise<void>): KeyValueStore {
  const isOver = (until: number | null) => until !== null && until <= now()
  let sweepAt = fewEntries
  return {
    async get(key) {
      const found = kept.get(key)
      return found === undefined || isOver(found[1]) ? undefined : found[0]
    },
    async put(key, value, until) {
      kept.set(key, [value, until ?? null])
      if (kept.size > sweepAt) {
        for (const [other, [, end]] of kept) if (isOver(end)) kept.delete(other)
        sweepAt = Math.max(fewEntries, kept.size * 2)
      }
      await save()
    },
    async delete(key) {
      if (kept.delete(key)) await save()
    },
  }
}
