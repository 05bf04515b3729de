import { NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { isSuccess } from './expectations.ts'
import type { ImagesWorld } from './world.ts'
import type { ImagesNeed } from '../target.ts'

/** Resolves when the target's clock is so many seconds ahead of the moment in which the checks began to prepare. */
export type At = (seconds: number) => Promise<void>

/**
 * Plays with the target's clock. There is but one, so whoever plays with it prepares first, all at once; then time passes for all of them together: the
 * clock is set to each moment once, and goes on when all who looked there have seen what they wanted. A check that breaks or ends early holds nobody up.
 */
export async function withTime<Prepared>(
  world: ImagesWorld,
  prepare: () => Promise<Prepared>,
  look: (at: At, prepared: Prepared) => Promise<void>,
): Promise<void> {
  await world.waitForStage('late-writes')
  const timeline = await world.shared('timeline', (common) => Promise.resolve(new Timeline(common)))
  timeline.begin()
  const prepared = await prepare()
  timeline.join()
  try {
    await world.waitForStage('final')
    await look(async (seconds) => world.note(await timeline.at(seconds)), prepared)
  } finally {
    world.tidying(timeline.leave())
  }
}

/** The way of the target's clock through a run. */
class Timeline {
  private readonly world: ImagesWorld
  /** When the first check began to prepare. What was prepared meanwhile grows older by itself: the clock is set ahead by so much less. */
  private began: number | undefined
  private looking = 0
  private waiting: {
    seconds: number
    go: (moved: HttpExchange) => void
    fail: (error: unknown) => void
  }[] = []
  /** While the clock is away from real time, and what ends that. */
  private away: Promise<void> | undefined
  private putBack: (() => void) | undefined

  constructor(world: ImagesWorld) {
    this.world = world
  }

  begin(): void {
    this.began ??= this.world.clock.today()
  }

  join(): void {
    this.looking += 1
  }

  at(seconds: number): Promise<HttpExchange> {
    return new Promise((go, fail) => {
      this.waiting.push({ seconds, go, fail })
      this.goOn()
    })
  }

  /** When all have left, the clock is put back: resolves when it is. */
  leave(): Promise<void> {
    const { away } = this
    this.looking -= 1
    if (this.looking > 0) this.goOn()
    else {
      this.putBack?.()
      this.began = this.away = undefined
    }
    return away ?? Promise.resolve()
  }

  /** Moves the clock to the next moment at which somebody looks, once nobody looks any more where it is. */
  private goOn(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.looking) return
    this.away ??= this.world.restoring(
      this.move(0),
      () => new Promise((resolve) => (this.putBack = resolve)),
    )
    const next = Math.min(...this.waiting.map(({ seconds }) => seconds))
    const there = this.waiting.filter(({ seconds }) => seconds === next)
    this.waiting = this.waiting.filter(({ seconds }) => seconds !== next)
    this.moved(next).then(
      (moved) => there.forEach(({ go }) => go(moved)),
      (error: unknown) => there.forEach(({ fail }) => fail(error)),
    )
  }

  private async moved(seconds: number): Promise<HttpExchange> {
    const elapsed = Math.round((this.world.clock.today() - this.began!) / 1000)
    const moved = await this.world.send(this.move(seconds - elapsed))
    if (!isSuccess(moved))
      throw new NotCovered<ImagesNeed>(
        `the clock of the target file did not move: ${moved.summary}`,
        ['images.clock'],
      )
    return moved
  }

  private move(offsetSeconds: number): HttpRequest {
    return {
      operation: 'clock',
      method: 'POST',
      url: this.world.access.clock ?? '',
      body: { kind: 'json', value: { offsetSeconds } },
    }
  }
}
