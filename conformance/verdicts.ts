import { requirements } from '../generated/requirements/index.ts'
import type { Verdict } from './engine/index.ts'
import type { Planned } from './suite.ts'
import type { Redactor } from './wire/secrets.ts'

/**
 * Removes secrets from the strings of a verdict that come from the target. The clients in `wire/`
 * have already redacted them; this is a second protection.
 */
export function redactVerdict(verdict: Verdict, redact: Redactor): Verdict {
  const { reason, observations, differs, expectations, exchanges } = verdict
  const sentences = deep({ reason, observations, differs }, redact.sentence) as Partial<Verdict>
  const findings = expectations.map((finding) => ({
    ...finding,
    expected: redact.sentence(finding.expected),
    received: redact.sentence(finding.received),
  }))
  return {
    ...verdict,
    ...sentences,
    expectations: findings,
    exchanges: deep(exchanges, redact) as Verdict['exchanges'],
  }
}

function deep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => deep(item, redact))
  if (typeof value !== 'object' || value === null) return value
  const defined = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(defined.map(([name, inner]) => [name, deep(inner, redact)]))
}

/** The verdict of a check that has no result because of an error of the suite. */
export function verdictOfLostCheck(
  { key, requirement, title, contract, topic, level }: Planned,
  crashes: readonly string[],
): Verdict {
  return {
    key,
    requirement,
    title,
    contract,
    topic,
    role: requirements[requirement].role,
    level,
    verdict: 'error',
    reason: crashes[0] ?? 'the suite ended before this check had a verdict',
    expectations: [],
    exchanges: [],
    durationMs: 0,
  }
}
