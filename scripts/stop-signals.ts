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
 * Ignores that output can no longer be written: a reader such as `head` has closed the pipe, or the
 * terminal was closed. The command goes on, so that a test run still deletes what it has created,
 * and its exit status is kept.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
}
