/** A key that a user can press. */
export type PressedKey = 'enter' | 'ctrl-c' | (string & {})

const names: Readonly<Record<string, PressedKey>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-c',
}

/**
 * Resolves to the next key. A terminal reports a key at once, other input when Enter ends the line.
 * Never resolves if the input ends, or after `signal` was aborted.
 */
export function nextKey(input: NodeJS.ReadStream, signal: AbortSignal): Promise<PressedKey> {
  return new Promise((resolve) => {
    const isTerminal = input.isTTY === true
    const stop = () => {
      input.off('data', onData)
      if (isTerminal) input.setRawMode(false)
      input.pause()
    }
    const onData = (data: Buffer | string) => {
      const [character = ''] = String(data)
      stop()
      resolve(names[character] ?? character.toLowerCase())
    }
    // In raw mode, Ctrl-C is a character, not a signal.
    if (isTerminal) input.setRawMode(true)
    input.on('data', onData).resume()
    signal.addEventListener('abort', stop, { once: true })
  })
}
