import { coversId, isUndecided, type ReasonCode, type Verdict } from './engine/index.ts'
import { absentPath, isWithin } from './target-file/index.ts'

/** Why a check has no result if the server itself is the reason, not the run. */
const aboutServer: readonly (ReasonCode | undefined)[] = [
  'key-missing',
  'key-helps',
  'no-message',
  'no-occasion',
  // For example a hook whose URL has https, if the server refuses only such hooks.
  'root-held-alone',
]

/**
 * Returns how a verdict counts if the user declares what the server does not have: a check that is
 * not covered because of that, or blocked although its requirement is met, is not applicable.
 * `absent` has reasons by keys of the target file and by ids of requirements, or their first parts.
 * Other verdicts stay, so that a declaration never hides a failure.
 */
export function verdictWithAbsent(
  absent: Readonly<Record<string, string>>,
  verdict: Verdict,
): Verdict {
  if (!isUndecided(verdict) || !aboutServer.includes(verdict.reasonCode)) return verdict
  const words = Object.keys(absent)
  const { needs = [], requirement } = verdict
  const wordFor = (need: string) => words.find((word) => isWithin(word, need))
  const found = needs.map(wordFor)
  // A missing key alone prevents a check. Of the keys that would help, one is enough.
  const isPrevented =
    verdict.reasonCode === 'key-missing'
      ? found.some((word) => word !== undefined)
      : found.length > 0 && found.every((word) => word !== undefined)
  const word =
    words.find((one) => coversId(one, requirement)) ??
    (isPrevented ? found.find((one) => one !== undefined) : undefined)
  if (word === undefined) return verdict
  const { needs: _, blockedBy: __, ...rest } = verdict
  return {
    ...rest,
    verdict: 'not applicable',
    reason: `${absentPath} lists ${word}: ${absent[word]!}`,
    reasonCode: 'declared-absent',
  }
}
