import { clockOf, type Clock } from '../engine/index.ts'

/**
 * How many times as fast as real time the clock of the proof runs. Waits take little time, and
 * timeouts are still long enough for a busy machine.
 */
export const speed = 20

/** Makes a clock for one trial. */
export const newTrialClock = (): Clock => clockOf(speed)

/**
 * Timers of the servers under trial. They run in real time, but only while this process is able to
 * run, so that a server that is slow because the machine is busy does not look broken.
 */
export const serverTimers: Pick<Clock, 'after'> = clockOf(1)
