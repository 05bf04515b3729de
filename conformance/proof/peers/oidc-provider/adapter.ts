import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

/** Keeps what the provider remembers for as long as it lives. Its own memory forgets all but the last thousand things, and a long run makes more. */
export function newAdapter(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    const found = (is: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model} `) && is(payload))?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUserCode: async (code) => found(({ userCode }) => userCode === code),
      findByUid: async (uid) => found((payload) => payload.uid === uid),
      async consume(id) {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of kept) {
          if (payload.grantId === grantId) kept.delete(key)
        }
      },
    } satisfies Adapter
  }
}
