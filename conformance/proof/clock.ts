import { clockOf, type Clock } from '../engine/index.ts'

/**
 * The factor by which the clock of the proof runs faster than real time: high enough that waits
 * take little time, low enough that a busy machine does not exceed timeouts.
 */
export const speed = 20

/** Makes a clock for one trial. */
export const newTrialClock = (): Clock => clockOf(speed)

/**
 * Timers of the servers under trial. They run in real time, but only while this process is able to
 * run, so that a server that is slow because the machine is busy does not look broken.
 */
export const serverTimers: Pick<Clock, 'after'> = clockOf(1)
