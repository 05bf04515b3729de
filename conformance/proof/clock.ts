import { clockOf, type Clock } from '../engine/index.ts'
import { speed } from './variations/speed.ts'

/** Makes a clock for one trial. */
export const newTrialClock = (): Clock => clockOf(speed)

/**
 * Timers of the servers under trial. They run in real time, but stop while this process cannot run.
 * A server that is slow because the machine is busy therefore does not look broken.
 */
export const serverTimers: Pick<Clock, 'after'> = clockOf(1)
