// The key-value store that holds all OAuth state, bound under the name OAUTH_KV.
export class KvStore {
  #rows = new Map()
  #now

  constructor(now) {
    this.#now = now
  }

  put(key, value, ttlSeconds = Infinity) {
    this.#rows.set(key, { value, expires: this.#now() + ttlSeconds })
    return value
  }

  get(key) {
    const row = this.#rows.get(key)
    if (!row) return undefined
    if (this.#now() >= row.expires) {
      this.#rows.delete(key)
      return undefined
    }
    return row.value
  }

  delete(key) {
    return this.#rows.delete(key)
  }

  /** All living values whose key begins with the prefix, oldest first. */
  list(prefix) {
    return [...this.#rows.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => this.get(key))
      .filter((value) => value !== undefined)
  }
}
