import { Ledger, type Message } from './ledger.ts'

interface Entry<M extends Message> {
  readonly value: Promise<unknown>
  readonly ledger: Ledger<M>
  /** Names of the other shared values from which this value was made. */
  readonly dependencies: ReadonlySet<string>
}

/** The caller of a shared value: a check, or another value that is made from it. */
interface Caller {
  readonly name: string
  /** The names of the values that the caller uses. */
  readonly uses: Set<string>
}

/** The values that checks share. Each is made once in a run, unless it is removed with `forget`. */
export class SharedValues<M extends Message> {
  private readonly entries = new Map<string, Entry<M>>()
  private readonly messageLists: { readonly name: string; readonly messages: M[] }[] = []
  /** For each value, the names of its callers. */
  private readonly callers = new Map<string, Set<string>>()

  /**
   * Returns the value with the given name, and makes it if it does not exist. Adds the name to the
   * values that the caller uses.
   */
  get<T>(
    name: string,
    caller: Caller,
    make: (ledger: Ledger<M>, uses: Set<string>) => Promise<T>,
  ): Promise<T> {
    caller.uses.add(name)
    this.callers.set(name, (this.callers.get(name) ?? new Set()).add(caller.name))
    let entry = this.entries.get(name)
    if (entry === undefined) {
      const ledger = new Ledger<M>()
      const own = new Set<string>()
      this.messageLists.push({ name, messages: ledger.messages })
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

  /**
   * The messages of these values, and of all values from which they were made, for reports. They
   * include the messages that no check examines.
   */
  shownMessagesOf(uses: Iterable<string>): Message[] {
    return [...this.closureOf(uses)].flatMap(
      (name) => this.entries.get(name)?.ledger.shownMessages ?? [],
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

  /** The messages of every value that was made, with all callers of the value. */
  get messages(): { callers: ReadonlySet<string>; messages: readonly M[] }[] {
    return this.messageLists.map(({ name, messages }) => ({
      callers: this.callersOf(name),
      messages,
    }))
  }

  /** The checks and values that use a value, directly or through other values. */
  private callersOf(name: string, found = new Set<string>()): Set<string> {
    for (const caller of this.callers.get(name) ?? []) {
      if (found.has(caller)) continue
      found.add(caller)
      this.callersOf(caller, found)
    }
    return found
  }
}
