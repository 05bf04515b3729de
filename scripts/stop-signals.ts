import { whyUnwritable } from '../conformance/target-file/user-file.ts'

/** Ctrl-C, `kill`, and the end of the terminal in which the command runs. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls `listener` on each signal to stop. Returns a function that removes the listener. */
export function onStopSignal(listener: () => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener)
  return () => {
    for (const signal of stopSignals) process.off(signal, listener)
  }
}

/**
 * Ignores errors of output that can no longer be written, because a reader such as `head` closed
 * the pipe, the terminal was closed, or the disk is full. The command continues, so that a test run
 * deletes what it created, and the exit status is kept. Reports a full disk once, as far as
 * standard error can still be written.
 */
export function ignoreClosedOutput(): void {
  let isReported = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosed(error)) return
      if (!isFull(error)) throw error
      if (isReported) return
      isReported = true
      process.stderr.write(`The output is incomplete: ${whyUnwritable(error)}.\n`)
    })
}

/** Whether the reader of an output closed it, or its terminal was closed. */
export const isClosed = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'EIO'

/** Whether an output is a file on a full disk. */
export const isFull = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT'
