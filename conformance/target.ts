import type { Need } from '../generated/requirements/index.ts'
import { subjects, type AnySection } from './checks/index.ts'
import { targetFile, type TargetOf, type TargetPathOf } from './target-file/index.ts'
import { newRedactor } from './wire/secrets.ts'

/**
 * A target. If it comes from a file or options, it is plain data, and can be sent to a worker. If
 * code creates it, it may contain functions in place of some groups of keys.
 */
export type Target = TargetOf<AnySection>

type Declared = TargetPathOf<AnySection>

/**
 * Every path of a target file that a check can need. Does not compile if a requirement needs a path
 * that no section declares.
 */
export type TargetPath<Catalogued extends Declared = Need> = Declared | Catalogued

const file = targetFile<AnySection>(subjects.map(({ section }) => section))

/** The functions and data for target files with the sections of all subjects. */
export const {
  keys,
  labelsOf,
  findMissingKeys,
  loadTarget,
  paths,
  identifyingKeys,
  describePath,
  nameNeeds,
  secretsOf,
  targetSchema,
} = file

/** A shorter secret may be an ordinary word that occurs in other values. */
const minSecretCharacters = 8

/**
 * The target for reports, without secrets: also if another value contains one, such as an argument
 * of a program or the query of a URL.
 */
export function publicTarget(target: Target): Target {
  const secrets = Object.entries(secretsOf(target)).filter(
    ([, value = '']) => value.length >= minSecretCharacters,
  )
  const redact = newRedactor(Object.fromEntries(secrets))
  const withoutSecrets = (value: unknown): unknown => {
    if (typeof value === 'string') return redact.sentence(value)
    if (Array.isArray(value)) return value.map(withoutSecrets)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]),
    )
  }
  return withoutSecrets(file.publicTarget(target)) as Target
}
