import type { Verdict } from './engine/index.ts'

/** The run of the checks of one subject. */
export interface SubjectRun {
  /** The keys of the reported checks. */
  readonly keys: readonly string[]
  verdict(key: string): Promise<Verdict>
  readonly verdicts: Promise<Verdict[]>
  /** Resolves when all checks have a verdict and have cleaned up. */
  readonly end: Promise<void>
  /** Closes the subject, after `end`. Later calls return the same promise. */
  close(): Promise<Closed>
}

/** What the run of a subject leaves. */
interface Closed {
  /** What could not be deleted. */
  left: string[]
  /** Lines of YAML that are suggested for the target file. */
  proposals: string[]
  /** The versions of the protocol that were negotiated. */
  protocolVersions: string[]
}

/**
 * Runs some checks of a subject again. `isIncomplete` returns whether a check lacked messages to
 * examine. If there are such checks, `startAgain` starts a run for their keys, after the first run
 * was closed: both may need the same port. The new verdicts replace the old ones.
 */
export function repeatIncomplete(
  first: SubjectRun,
  isIncomplete: (verdict: Verdict) => boolean,
  startAgain: (keys: ReadonlySet<string>) => SubjectRun,
): SubjectRun {
  const second = first.verdicts.then(async (verdicts) => {
    const keys = new Set(verdicts.filter(isIncomplete).map(({ key }) => key))
    if (keys.size === 0) return undefined
    await first.end
    await first.close()
    return startAgain(keys)
  })
  const settle = async (verdict: Verdict): Promise<Verdict> => {
    if (!isIncomplete(verdict)) return verdict
    const again = await second
    return again?.keys.includes(verdict.key) === true ? again.verdict(verdict.key) : verdict
  }
  return {
    keys: first.keys,
    verdict: async (key) => settle(await first.verdict(key)),
    verdicts: first.verdicts.then((verdicts) => Promise.all(verdicts.map(settle))),
    end: second.then((again) => (again ?? first).end),
    async close() {
      const again = await second
      const ends = [await first.close(), ...(again === undefined ? [] : [await again.close()])]
      return {
        left: ends.flatMap(({ left }) => left),
        proposals: [...new Set(ends.flatMap(({ proposals }) => proposals))],
        protocolVersions: [...new Set(ends.flatMap(({ protocolVersions }) => protocolVersions))],
      }
    },
  }
}
