import { clockOf, type Clock } from '../engine/index.ts'

/** How much faster than the wall's the proof's clock runs: waits cost little, and time-outs stay long enough for a busy machine. */
export const speed = 20

/** A clock for one trial. */
export const trialClock = (): Clock => clockOf(speed)

/**
 * What timeouts of the servers under trial run by: as fast as the wall's clock, but only while this
 * process is able to act. A server that is slow because the machine is busy must not look broken.
 */
export const serverTimers: Pick<Clock, 'after'> = clockOf(1)
