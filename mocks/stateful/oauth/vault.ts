import type { Records } from './records.ts'
import { digestOf, seal, unseal } from './seal.ts'
import type { KeyValueStore } from './store.ts'

type Kind = keyof Records

/**
 * Records in a key-value store. If the key of a record is a secret, the record is encrypted with
 * that secret. Records of clients and grants are not encrypted, because their ids are not secret.
 */
export interface Vault {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  /** Stores a record until `until`, in milliseconds since the epoch. */
  put<K extends Kind>(kind: K, id: string, record: Records[K], until?: number): Promise<void>
  /** Removes a record and returns it. Of concurrent calls, only one returns it. */
  take<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>
  delete(kind: Kind, id: string): Promise<void>
  /** Runs `run` while no other `withLock` call for the same record runs. */
  withLock<T>(kind: Kind, id: string, run: () => Promise<T>): Promise<T>
}

const unsealedKinds: readonly Kind[] = ['client', 'grant']

export function newVault(store: KeyValueStore): Vault {
  const queues = new Map<string, Promise<unknown>>()
  const keyOf = (kind: Kind, id: string) =>
    `${kind}:${unsealedKinds.includes(kind) ? id : digestOf(id)}`
  const vault: Vault = {
    async get<K extends Kind>(kind: K, id: string) {
      const value = await store.get(keyOf(kind, id))
      if (value === undefined) return undefined
      return JSON.parse(unsealedKinds.includes(kind) ? value : unseal(id, value)) as Records[K]
    },
    async put(kind, id, record, until) {
      const text = JSON.stringify(record)
      await store.put(keyOf(kind, id), unsealedKinds.includes(kind) ? text : seal(id, text), until)
    },
    take: (kind, id) =>
      vault.withLock(kind, id, async () => {
        const found = await vault.get(kind, id)
        await vault.delete(kind, id)
        return found
      }),
    delete: (kind, id) => store.delete(keyOf(kind, id)),
    withLock<T>(kind: Kind, id: string, run: () => Promise<T>): Promise<T> {
      const key = keyOf(kind, id)
      const result = (queues.get(key) ?? Promise.resolve()).then(run, run)
      queues.set(key, result)
      const removeQueue = () => {
        if (queues.get(key) === result) queues.delete(key)
      }
      result.then(removeQueue, removeQueue)
      return result
    },
  }
  return vault
}
