import type { Planned } from '../../../conformance/suite.ts'

/** Lists checks by contract and topic: requirement, level, title, and needed target file keys. */
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
