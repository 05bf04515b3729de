import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

/**
 * Stores the provider's data without a limit. Its built-in memory keeps a thousand entries, and a
 * long run needs more.
 */
export function newAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    const find = (matches: (payload: AdapterPayload) => boolean) =>
      [...entries].find(([key, payload]) => key.startsWith(`${model} `) && matches(payload))?.[1]
    return {
      upsert: async (id, payload) => void entries.set(keyOf(id), payload),
      find: async (id) => entries.get(keyOf(id)),
      findByUserCode: async (code) => find(({ userCode }) => userCode === code),
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      async consume(id) {
        const payload = entries.get(keyOf(id))
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void entries.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of entries) {
          if (payload.grantId === grantId) entries.delete(key)
        }
      },
    } satisfies Adapter
  }
}
