import type { Planned } from '../../../conformance/suite.ts'

/** The checks that would run, one line each: requirement, level, title, and what they need of the target file. */
export function listed(planned: readonly Planned[]): string {
  const width = Math.max(...planned.map(({ requirement }) => requirement.length))
  const lines = planned.map(({ requirement, level, title, needs }) => {
    const wants = needs.length === 0 ? '' : `  [${needs.join(', ')}]`
    return `${requirement.padEnd(width)}  ${level.padEnd(6)}  ${title}${wants}`
  })
  return `${lines.join('\n')}\n${planned.length} checks\n`
}
