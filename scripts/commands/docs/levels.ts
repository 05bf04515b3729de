import type { Level, Requirement } from '../../../generated/requirements/index.ts'

/** The levels, from the strictest. */
export const levels: readonly Level[] = ['must', 'should', 'may', 'open']

export const meaningOfLevel: Readonly<Record<Level, string>> = {
  must: 'a violation is a failure',
  should: 'a violation is a warning',
  may: 'allowed, not required; not checked',
  open: 'the document leaves a choice, so a server cannot fail it; a check, if there is one, records what the server does',
}

/** The number of requirements of each level that occurs. */
export const countByLevel = (
  requirements: readonly Pick<Requirement, 'level'>[],
): (readonly [Level, number])[] =>
  levels
    .map((level) => [level, requirements.filter((one) => one.level === level).length] as const)
    .filter(([, count]) => count > 0)
