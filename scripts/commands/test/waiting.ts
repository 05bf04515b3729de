import type { PreflightOptions } from '../../../conformance/preflight.ts'
import { durationOf } from '../deliveries/options.ts'

/** By default, a server that is just starting may take this many milliseconds to listen. */
const defaultWait = 1000

/** The options that say how long to wait for servers that do not listen yet. */
export interface WaitOptions {
  readonly wait?: string | undefined
  /** Whether to wait without a limit if `wait` is not set: in the first run with --watch. */
  readonly waitsForServers?: boolean | undefined
}

/** How long to wait for servers, and what is printed then. Throws a `UsageError`. */
export function waitingOf({ wait, waitsForServers = false }: WaitOptions): PreflightOptions {
  if (wait !== undefined)
    return {
      wait: durationOf('--wait', wait),
      onWait: (address) => print(`waiting for ${address} (--wait ${wait})`),
    }
  if (!waitsForServers) return { wait: defaultWait }
  return {
    wait: Infinity,
    onWait: (address, reason) =>
      print(`${address}: ${reason}; the first run starts when the server listens`),
  }
}

const print = (line: string) => void process.stderr.write(`${line}\n`)
