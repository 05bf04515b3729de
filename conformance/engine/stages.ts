/**
 * How a run goes on, from one stage to the next. A play that needs a calmer target waits for its stage in the middle of what it does, and goes on when
 * all others have ended or wait as well:
 *
 * - `late`: for the last writing, when all has been played that waits for nothing;
 * - `still`: nobody writes, so that several reads can be compared;
 * - `last`: nobody compares reads any more: for what changes the target as a whole, such as its clock, and for taking away what was made.
 */
export const stages = ['late', 'still', 'last'] as const
export type Stage = (typeof stages)[number]

/** Counts who acts, and opens a stage when nobody does. */
export class Stages {
  private acting = 0
  /** How many of those that act wait for a verdict. */
  private asking = 0
  private alone: (() => void)[] = []
  /** Place of the stage that the run has come to. */
  private reached = -1
  private waiting: { readonly stage: Stage; readonly acts: boolean; readonly open: () => void }[] =
    []

  /** Somebody acts from now on, until he rests. */
  act(): void {
    this.acting += 1
  }

  rest(): void {
    this.acting -= 1
    this.goOn()
  }

  /** Waits for a verdict: others may act alone meanwhile. */
  async ask<T>(verdict: Promise<T>): Promise<T> {
    this.asking += 1
    this.goOn()
    try {
      return await verdict
    } finally {
      this.asking -= 1
    }
  }

  /** Waits until nobody acts but those that wait for a verdict; the caller acts then, until it rests. One caller at a time. */
  async quiet(): Promise<void> {
    const opened = new Promise<void>((open) => this.alone.push(open))
    this.goOn()
    await opened
  }

  /** Waits for a stage; false where the run was there already. Whoever `acts` does nothing else meanwhile, and acts again afterwards. */
  async turn(stage: Stage, { acts = true } = {}): Promise<boolean> {
    if (stages.indexOf(stage) <= this.reached) return false
    const opened = new Promise<void>((open) => this.waiting.push({ stage, acts, open }))
    if (acts) this.acting -= 1
    this.goOn()
    await opened
    return true
  }

  private goOn(): void {
    // Not yet: whoever waited for the one that rests now acts in a moment.
    if (this.acting === this.asking) setImmediate(() => this.open())
  }

  private open(): void {
    const first = this.acting === this.asking ? this.alone.shift() : undefined
    if (first !== undefined) {
      this.acting += 1
      return first()
    }
    const next = stages.find((stage) => this.waiting.some((one) => one.stage === stage))
    if (this.acting > 0 || next === undefined) return
    this.reached = stages.indexOf(next)
    const opened = this.waiting.filter(({ stage }) => stage === next)
    this.waiting = this.waiting.filter(({ stage }) => stage !== next)
    this.acting += opened.filter(({ acts }) => acts).length
    for (const { open } of opened) open()
  }
}
