import type { Planned } from '../../../conformance/suite.ts'

/** The checks that would run, by contract and topic, one line each: requirement, level, title, and what they need of the target file. */
export function listed(planned: readonly Planned[]): string {
  const width = Math.max(...planned.map(({ requirement }) => requirement.length))
  let heading = ''
  const lines = planned.flatMap(({ requirement, level, title, needs, contract, topic }) => {
    const wants = needs.length === 0 ? '' : `  [${needs.join(', ')}]`
    const line = `${requirement.padEnd(width)}  ${level.padEnd(6)}  ${title}${wants}`
    if (heading === `${contract} ${topic}`) return [line]
    const first = heading === ''
    heading = `${contract} ${topic}`
    return [...(first ? [] : ['']), `contract ${contract}, topic ${topic}`, line]
  })
  return `${lines.join('\n')}\n${planned.length} checks\n`
}
