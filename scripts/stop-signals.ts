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
 * the pipe, or the terminal was closed. The command continues, so that a test run deletes what it
 * created, and the exit status is kept.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
}
