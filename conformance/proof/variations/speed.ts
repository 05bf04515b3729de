/**
 * How many times faster than real time the clock of the proof runs. A higher factor would shorten
 * waits further, but make timeouts pass on a busy machine.
 */
export const speed = 20
