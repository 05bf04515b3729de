/** Something in a command line, or about this machine, that the user can put right. The message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
