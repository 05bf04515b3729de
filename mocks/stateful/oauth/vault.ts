import type { Records } from './records.ts'
import { digestOf, seal, unseal } from './seal.ts'
import type { KeyValueStore } from './store.ts'

type Kind = keyof Records

/** Records in a key-value store. What is found by a secret is sealed with it; clients and grants are found by ids that are no secrets. */
export interface Vault {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  /** Keeps it until `until`, in milliseconds since the epoch. */
  put<K extends Kind>(kind: K, id: string, record: Records[K], until?: number): Promise<void>
  /** Gives it once, whoever asks at the same time. */
  take<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  delete(kind: Kind, id: string): Promise<void>
  /** Runs one after the other what concerns the same record. */
  exclusive<T>(kind: Kind, id: string, run: () => Promise<T>): Promise<T>
}

const known: readonly Kind[] = ['client', 'grant']

export function newVault(store: KeyValueStore): Vault {
  const turns = new Map<string, Promise<unknown>>()
  const keyOf = (kind: Kind, id: string) => `${kind}:${known.includes(kind) ? id : digestOf(id)}`
  const vault: Vault = {
    async get<K extends Kind>(kind: K, id: string) {
      const value = await store.get(keyOf(kind, id))
      if (value === undefined) return undefined
      return JSON.parse(known.includes(kind) ? value : unseal(id, value)) as Records[K]
    },
    async put(kind, id, record, until) {
      const text = JSON.stringify(record)
      await store.put(keyOf(kind, id), known.includes(kind) ? text : seal(id, text), until)
    },
    take: (kind, id) =>
      vault.exclusive(kind, id, async () => {
        const found = await vault.get(kind, id)
        await vault.delete(kind, id)
        return found
      }),
    delete: (kind, id) => store.delete(keyOf(kind, id)),
    exclusive<T>(kind: Kind, id: string, run: () => Promise<T>): Promise<T> {
      const key = keyOf(kind, id)
      const turn = (turns.get(key) ?? Promise.resolve()).then(run, run)
      turns.set(key, turn)
      const over = () => {
        if (turns.get(key) === turn) turns.delete(key)
      }
      turn.then(over, over)
      return turn
    },
  }
  return vault
}
