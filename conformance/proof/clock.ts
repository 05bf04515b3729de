import { clockOf, type Clock } from '../engine/index.ts'

/** How much faster than the wall's the proof's clock runs: waits cost little, and time-outs stay long enough for a busy machine. */
export const speed = 20

/** A clock for one trial. */
export const trialClock = (): Clock => clockOf(speed)
