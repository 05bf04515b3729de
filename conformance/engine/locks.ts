/** Keeps holders of the same word apart, in the order in which they came. */
export class Locks {
  private readonly tails = new Map<string, Promise<void>>()

  /** Resolves when it is the caller's turn; the function it gives must be called at the end. */
  async enter(word: string): Promise<() => void> {
    const before = this.tails.get(word)
    let leave = () => {}
    this.tails.set(word, new Promise((resolve) => (leave = resolve)))
    await before
    return leave
  }
}
