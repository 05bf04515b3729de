import { setMaxListeners } from 'node:events'
import type { EventName, Flag } from '../../deliveries/events.ts'
import { newAgents, type ConnectionAgents } from '../../deliveries/send.ts'
import { sendAttempts, recordOverflow } from './attempts.ts'
import { exampleNameOf } from './example-name.ts'
import type { DeliveryJob, DeliverySender, HookedEvent } from './outgoing.ts'
import type { Hook } from './store.ts'

interface Queue {
  waiting: DeliveryJob[]
  active: number
}

/**
 * Sends deliveries. Each hook has its own queue, so that a slow receiver delays only its own
 * deliveries.
 */
export class Outbox {
  private readonly queues = new Map<Hook, Queue>()
  private readonly stop = new AbortController()
  private agents: ConnectionAgents | undefined
  private count = 0

  constructor() {
    // Every pending delivery adds a listener, and there may be many.
    setMaxListeners(0, this.stop.signal)
  }

  /**
   * Queues the delivery of a test call. Returns a promise that resolves after all attempts, or
   * undefined if the queue is full.
   */
  add(
    server: DeliverySender,
    hook: Hook,
    event: EventName,
    trigger: Flag,
  ): Promise<void> | undefined {
    return this.queue({ ...this.newEvent({ event, trigger }, server, hook), server, hook })
  }

  /** Queues the deliveries of one event to all these hooks, with the same payload. */
  addToAll(
    server: DeliverySender,
    hooks: readonly Hook[],
    happened: Pick<HookedEvent, 'event' | 'trigger' | 'action'>,
  ): void {
    if (hooks.length === 0) return
    const event = this.newEvent(happened, server, this)
    for (const hook of hooks) void this.queue({ ...event, server, hook })
  }

  private newEvent(
    happened: Pick<HookedEvent, 'event' | 'trigger' | 'action'>,
    { choices }: DeliverySender,
    source: object,
  ): HookedEvent {
    const numbered = { ...happened, number: (this.count += 1) }
    return { ...numbered, example: exampleNameOf(numbered, choices, source) }
  }

  private queue(job: Omit<DeliveryJob, 'done'>): Promise<void> | undefined {
    const { server, hook } = job
    let queue = this.queues.get(hook)
    if (queue === undefined) this.queues.set(hook, (queue = { waiting: [], active: 0 }))
    if (queue.waiting.length >= server.rules.queueLimit) {
      recordOverflow(job)
      return undefined
    }
    return new Promise((done) => {
      queue.waiting.push({ ...job, done })
      this.startJobs(hook, queue)
    })
  }

  /** Cancels all deliveries, those that wait and those that are being sent. */
  close(): void {
    this.stop.abort()
    this.agents?.destroy()
    for (const { waiting } of this.queues.values()) for (const { done } of waiting.splice(0)) done()
  }

  private startJobs(hook: Hook, queue: Queue): void {
    while (queue.waiting.length > 0 && queue.active < queue.waiting[0]!.server.rules.concurrency) {
      const job = queue.waiting.shift()!
      queue.active += 1
      void sendAttempts(job, (this.agents ??= newAgents()), this.stop.signal).finally(() => {
        queue.active -= 1
        job.done()
        this.startJobs(hook, queue)
      })
    }
    // Removes the queue if it has no pending deliveries.
    if (queue.waiting.length === 0 && queue.active === 0) this.queues.delete(hook)
  }
}
