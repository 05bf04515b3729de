import { NotCovered } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { isSuccess } from './expectations.ts'
import type { ImagesWorld } from './world.ts'
import type { ImagesNeed } from '../target.ts'

/**
 * Moves the target's clock to this many seconds after the first check began to prepare. Resolves
 * when the clock has moved.
 */
export type MoveClock = (seconds: number) => Promise<void>

/**
 * Runs a check that moves the target's clock. All such checks share the clock. They prepare
 * concurrently; then the clock moves to each requested time once. It moves on when every check has
 * ended or requests a later time.
 */
export async function withMovedClock<Prepared>(
  world: ImagesWorld,
  prepare: () => Promise<Prepared>,
  observe: (moveTo: MoveClock, prepared: Prepared) => Promise<void>,
): Promise<void> {
  await world.waitForStage('late-writes')
  const timeline = await world.shared('timeline', (common) => Promise.resolve(new Timeline(common)))
  timeline.start()
  const prepared = await prepare()
  timeline.join()
  try {
    await world.waitForStage('final')
    await observe(async (seconds) => world.record(await timeline.moveTo(seconds)), prepared)
  } finally {
    world.addCleanup(timeline.leave())
  }
}

/** Moves the target's clock for all checks of a run. */
class Timeline {
  private readonly world: ImagesWorld
  /**
   * When the first check began to prepare. Each move subtracts the time since then, because real
   * time passes too.
   */
  private startedAt: number | undefined
  private participants = 0
  private waiting: {
    seconds: number
    proceed: (moved: HttpExchange) => void
    fail: (error: unknown) => void
  }[] = []
  /** Resolves when the clock is back at real time. `restore` starts the request that resets it. */
  private restored: Promise<void> | undefined
  private restore: (() => void) | undefined

  constructor(world: ImagesWorld) {
    this.world = world
  }

  start(): void {
    this.startedAt ??= this.world.clock.realTime()
  }

  join(): void {
    this.participants += 1
  }

  moveTo(seconds: number): Promise<HttpExchange> {
    return new Promise((proceed, fail) => {
      this.waiting.push({ seconds, proceed, fail })
      this.advance()
    })
  }

  /** Resolves when the clock is restored, which happens after the last check has left. */
  leave(): Promise<void> {
    const { restored } = this
    this.participants -= 1
    if (this.participants > 0) this.advance()
    else {
      this.restore?.()
      this.startedAt = this.restored = undefined
    }
    return restored ?? Promise.resolve()
  }

  /** If every check waits for a time, moves the clock to the next one. */
  private advance(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.participants) return
    this.restored ??= this.world.withUndo(
      this.clockRequest(0),
      () => new Promise((resolve) => (this.restore = resolve)),
    )
    const next = Math.min(...this.waiting.map(({ seconds }) => seconds))
    const arrived = this.waiting.filter(({ seconds }) => seconds === next)
    this.waiting = this.waiting.filter(({ seconds }) => seconds !== next)
    this.setClock(next).then(
      (moved) => arrived.forEach(({ proceed }) => proceed(moved)),
      (error: unknown) => arrived.forEach(({ fail }) => fail(error)),
    )
  }

  private async setClock(seconds: number): Promise<HttpExchange> {
    const elapsed = Math.round((this.world.clock.realTime() - this.startedAt!) / 1000)
    const moved = await this.world.send(this.clockRequest(seconds - elapsed))
    if (!isSuccess(moved))
      throw new NotCovered<ImagesNeed>(`the clock at images.clock did not move: ${moved.summary}`, [
        'images.clock',
      ])
    return moved
  }

  private clockRequest(offsetSeconds: number): HttpRequest {
    return {
      operation: 'clock',
      method: 'POST',
      url: this.world.target.clock ?? '',
      body: { kind: 'json', value: { offsetSeconds } },
    }
  }
}
