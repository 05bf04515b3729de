import { Ledger, type Message } from './ledger.ts'

interface Entry<M extends Message> {
  readonly value: Promise<unknown>
  readonly ledger: Ledger<M>
  /** Names of the values that it was made with. */
  readonly uses: ReadonlySet<string>
}

/** What checks make once for the whole run. */
export class SharedValues<M extends Message> {
  private readonly entries = new Map<string, Entry<M>>()
  private readonly messagesOf: M[][] = []

  /** A value by its name; it is made where it is not there. `uses` gets the name. */
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
      this.messagesOf.push(ledger.messages)
      entry = { value: make(ledger, own), ledger, uses: own }
      this.entries.set(name, entry)
    }
    return entry.value as Promise<T>
  }

  /** Those of the used values that met a time-out, or were made with such ones. */
  timedOut(uses: Iterable<string>): string[] {
    const isTimedOut = (name: string, seen: ReadonlySet<string>): boolean => {
      const entry = this.entries.get(name)
      if (entry === undefined || seen.has(name)) return false
      const path = new Set([...seen, name])
      return (
        entry.ledger.messages.some((message) => message.isTimedOut) ||
        [...entry.uses].some((other) => isTimedOut(other, path))
      )
    }
    const closure = new Set<string>()
    const collect = (name: string) => {
      if (closure.has(name)) return
      closure.add(name)
      for (const other of this.entries.get(name)?.uses ?? []) collect(other)
    }
    for (const name of uses) collect(name)
    return [...closure].filter((name) => isTimedOut(name, new Set()))
  }

  /** Whoever asks for them again makes them again. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.entries.delete(name)
  }

  get messages(): readonly M[] {
    return this.messagesOf.flat()
  }
}
