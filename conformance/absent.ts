import { coversId, isUndecidedByTarget, type Verdict } from './engine/index.ts'
import { absentPath, isWithin } from './target-file/index.ts'

/**
 * The words of `suite.absent` that make a verdict not applicable, each alone or together with
 * others: keys of the target file and ids of requirements, or their first parts. Empty if the
 * verdict stays.
 */
export function absentWordsFor(
  words: readonly string[],
  verdict: Pick<Verdict, 'verdict' | 'reasonCode' | 'needs' | 'requirement'>,
): string[] {
  if (!isUndecidedByTarget(verdict)) return []
  const { needs = [], requirement } = verdict
  const found = needs.map((need) => words.filter((word) => isWithin(word, need)))
  // A missing key alone prevents a check. Of the keys that would help, one is enough.
  const isPrevented = verdict.reasonCode === 'key-missing' || found.every((some) => some.length > 0)
  return [
    ...new Set([
      ...words.filter((word) => coversId(word, requirement)),
      ...(isPrevented ? found.flat() : []),
    ]),
  ]
}

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
  const [word] = absentWordsFor(Object.keys(absent), verdict)
  if (word === undefined) return verdict
  const { needs: _, blockedBy: __, ...rest } = verdict
  return {
    ...rest,
    verdict: 'not applicable',
    reason: `${absentPath} lists ${word}: ${absent[word]!}`,
    reasonCode: 'declared-absent',
  }
}
