/** Runs `work`, and suppresses warnings on the console that match. */
export async function withoutWarning<T>(warning: RegExp, work: () => Promise<T>): Promise<T> {
  const { console } = globalThis
  const { warn } = console
  console.warn = (...args: unknown[]) => {
    if (!warning.test(String(args[0]))) warn.apply(console, args)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
