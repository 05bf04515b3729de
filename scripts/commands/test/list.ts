import type { Planned } from '../../../conformance/suite.ts'
import { nameNeeds } from '../../../conformance/target.ts'

/**
 * A check. If a target is named, `lacking` contains the needed keys that the target does not set.
 */
type ListedCheck = Planned & { readonly lacking?: readonly string[] }

/**
 * Lists checks by contract and topic: requirement, level, title, and keys of the target file. Lists
 * all keys that a check needs or, if a target is named, only those that it does not set.
 */
export function formatCheckList(checks: readonly ListedCheck[], targetName?: string): string {
  const width = Math.max(...checks.map(({ requirement }) => requirement.length))
  let heading = ''
  const lines = checks.flatMap(({ requirement, level, title, needs, lacking, contract, topic }) => {
    const keys = nameNeeds(lacking ?? needs)
    const note = keys === '' ? '' : `  [${lacking === undefined ? 'needs' : 'not set:'} ${keys}]`
    const line = `${requirement.padEnd(width)}  ${level.padEnd(6)}  ${title}${note}`
    if (heading === `${contract} ${topic}`) return [line]
    const first = heading === ''
    heading = `${contract} ${topic}`
    return [...(first ? [] : ['']), `contract ${contract}, topic ${topic}`, line]
  })
  const of = targetName === undefined ? '' : ` of ${targetName}`
  return `${lines.join('\n')}\n${checks.length} check${checks.length === 1 ? '' : 's'}${of}\n`
}
