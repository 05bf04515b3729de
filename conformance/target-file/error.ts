/**
 * An error that the user must fix. Its message contains the location, what is wrong, and the next
 * step.
 */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}
