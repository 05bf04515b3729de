import { clockOf, type Clock } from '../engine/index.ts'

/** How much faster than the wall's the proof's clock runs: waits cost little, and time-outs stay long enough for a busy machine. */
export const speed = 20

/** A clock for one trial; a family with long waits may have a faster one. */
export const trialClock = (faster = speed): Clock => clockOf(faster)
