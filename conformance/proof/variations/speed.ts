/**
 * How many times faster than real time the clock of the proof runs. With a higher factor, waits
 * would be shorter, but timeouts would expire on a busy machine.
 */
export const speed = 20
