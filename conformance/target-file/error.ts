/**
 * An error that the user must fix. Its message contains the location, what is wrong, and the next
 * step.
 */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** Only this many mistakes are listed, because the wrong file can have thousands of them. */
const maxMistakes = 20

/** Joins the mistakes in a file, one per line. Counts those that are too many to list. */
export function listMistakes(mistakes: readonly string[]): string {
  const more = mistakes.length - maxMistakes
  return more <= 0
    ? mistakes.join('\n')
    : [...mistakes.slice(0, maxMistakes), `… and ${more} more`].join('\n')
}
