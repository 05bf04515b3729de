/** Who has a word at the moment, and who waits for it. */
interface Word {
  sharers: number
  alone: boolean
  readonly waiting: { readonly shared: boolean; readonly take: () => void }[]
}

/** Keeps whoever wants a word for himself apart from all others with that word. Those who share it go first, since they hold up none of their like. */
export class Locks {
  private readonly words = new Map<string, Word>()

  /** Resolves when it is the caller's turn; the function it gives must be called at the end. */
  async enter(name: string, { shared = false } = {}): Promise<() => void> {
    if (!this.words.has(name)) this.words.set(name, { sharers: 0, alone: false, waiting: [] })
    const word = this.words.get(name)!
    await new Promise<void>((take) => {
      word.waiting.push({ shared, take })
      pass(word)
    })
    return () => {
      if (shared) word.sharers -= 1
      else word.alone = false
      pass(word)
    }
  }
}

/** Gives the word to whoever may have it now. */
function pass(word: Word): void {
  for (;;) {
    const next = [true, false]
      .map((shared) => word.waiting.findIndex((one) => one.shared === shared))
      .find((place) => place !== -1)
    if (next === undefined || word.alone) return
    const { shared, take } = word.waiting[next]!
    if (!shared && word.sharers > 0) return
    word.waiting.splice(next, 1)
    if (shared) word.sharers += 1
    else word.alone = true
    take()
  }
}
