import { Ledger, type Message } from './ledger.ts'

interface Entry<M extends Message> {
  readonly value: Promise<unknown>
  readonly ledger: Ledger<M>
  /** Names of the other shared values from which this value was made. */
  readonly dependencies: ReadonlySet<string>
}

/** The values that checks share. Each is made once in a run, unless it is removed with `forget`. */
export class SharedValues<M extends Message> {
  private readonly entries = new Map<string, Entry<M>>()
  private readonly messageLists: M[][] = []

  /**
   * Returns the value with the given name, and makes it if it does not exist. Adds the name to
   * `uses`, the set of the values that the caller uses.
   */
  get<T>(
    name: string,
    uses: Set<string>,
    make: (ledger: Ledger<M>, uses: Set<string>) => Promise<T>,
  ): Promise<T> {
    uses.add(name)
    let entry = this.entries.get(name)
    if (entry === undefined) {
      const ledger = new Ledger<M>()
      const own = new Set<string>()
      this.messageLists.push(ledger.messages)
      entry = { value: make(ledger, own), ledger, dependencies: own }
      this.entries.set(name, entry)
    }
    return entry.value as Promise<T>
  }

  /**
   * Searches the values in `uses`, and all values from which they were made, for effects of an
   * interrupted exchange. Returns the names of the values that were made with such an exchange,
   * directly or through another value.
   */
  withInterruption(uses: Iterable<string>): string[] {
    const isInterrupted = (name: string, seen: ReadonlySet<string>): boolean => {
      const entry = this.entries.get(name)
      if (entry === undefined || seen.has(name)) return false
      const path = new Set([...seen, name])
      return (
        entry.ledger.messages.some((message) => message.isInterrupted) ||
        [...entry.dependencies].some((other) => isInterrupted(other, path))
      )
    }
    return [...this.closureOf(uses)].filter((name) => isInterrupted(name, new Set()))
  }

  /** The messages of these values, and of all values from which they were made. */
  messagesOf(uses: Iterable<string>): M[] {
    return [...this.closureOf(uses)].flatMap(
      (name) => this.entries.get(name)?.ledger.messages ?? [],
    )
  }

  /** These values, and all values from which they were made. */
  private closureOf(uses: Iterable<string>): Set<string> {
    const closure = new Set<string>()
    const collect = (name: string) => {
      if (closure.has(name)) return
      closure.add(name)
      for (const other of this.entries.get(name)?.dependencies ?? []) collect(other)
    }
    for (const name of uses) collect(name)
    return closure
  }

  /** Removes values, so that the next use makes them again. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.entries.delete(name)
  }

  get messages(): readonly M[] {
    return this.messageLists.flat()
  }
}
