/** The host: runs the checks as tests of vitest, and gives their verdicts. */
export { host, warmUp } from './host.ts'
