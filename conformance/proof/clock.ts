import { clockOf, type Clock } from '../engine/index.ts'

/**
 * The factor by which the clock of the proof runs faster than real time. It is so high that waits
 * take little time, but so low that a busy machine does not exceed timeouts.
 */
export const speed = 20

/** Makes a clock for one trial. */
export const newTrialClock = (): Clock => clockOf(speed)

/**
 * Timers of the servers under trial. They run in real time, but stop while this process cannot run.
 * A server that is slow because the machine is busy therefore does not look broken.
 */
export const serverTimers: Pick<Clock, 'after'> = clockOf(1)
