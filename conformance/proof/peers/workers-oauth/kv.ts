interface Entry {
  value: string
  metadata?: unknown
  /** Seconds since 1970. */
  expiration?: number
}

interface PutOptions {
  expirationTtl?: number
  expiration?: number
  metadata?: unknown
}

/** A KV namespace of Workers in memory, with the operations that the package uses. */
export class MemoryNamespace {
  private readonly entries = new Map<string, Entry>()

  async get(key: string, options?: 'json' | { type?: string }): Promise<unknown> {
    const value = this.find(key)?.value
    if (value === undefined) return null
    const type = typeof options === 'string' ? options : options?.type
    return type === 'json' ? (JSON.parse(value) as unknown) : value
  }

  async put(key: string, value: string, options: PutOptions = {}): Promise<void> {
    const { expirationTtl, metadata } = options
    const expiration =
      expirationTtl === undefined
        ? options.expiration
        : Math.floor(Date.now() / 1000) + expirationTtl
    this.entries.set(key, {
      value,
      ...(metadata === undefined ? {} : { metadata }),
      ...(expiration === undefined ? {} : { expiration }),
    })
  }

  async delete(key: string): Promise<void> {
    this.entries.delete(key)
  }

  async list({ prefix = '' }: { prefix?: string } = {}) {
    const keys = [...this.entries.keys()]
      .filter((name) => name.startsWith(prefix))
      .sort()
      .flatMap((name) => {
        const entry = this.find(name)
        return entry === undefined
          ? []
          : [{ name, expiration: entry.expiration, metadata: entry.metadata }]
      })
    return { keys, list_complete: true as const, cacheStatus: null }
  }

  private find(key: string): Entry | undefined {
    const entry = this.entries.get(key)
    if (entry?.expiration !== undefined && entry.expiration <= Date.now() / 1000) {
      this.entries.delete(key)
      return undefined
    }
    return entry
  }
}
