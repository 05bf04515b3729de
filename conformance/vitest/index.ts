/** The host: runs the checks as tests of vitest, and gives their verdicts. */
export { host, warmUp, type Hosted, type HostOptions } from './host.ts'
