/**
 * The factor by which the clock of the proof runs faster than real time. It is so high that waits
 * take little time, but so low that a busy machine does not exceed timeouts.
 */
export const speed = 20
