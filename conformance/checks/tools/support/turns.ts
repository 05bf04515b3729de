/** Who works beside others, and who alone. Whoever wants to be alone waits for those who have begun, and holds up those who come later. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()
  private beside = new Set<Promise<unknown>>()

  /** Works as soon as nobody is alone. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    await this.last
    const done = work()
    const settled = done.then(
      () => {},
      () => {},
    )
    this.beside.add(settled)
    void settled.then(() => this.beside.delete(settled))
    return done
  }

  /** Works when nobody else does. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last
    const done = (async () => {
      await before
      await Promise.all(this.beside)
      return work()
    })()
    this.last = done.then(
      () => {},
      () => {},
    )
    return done
  }
}
