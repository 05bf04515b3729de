import { requirements, topics, type RequirementId } from '../../generated/requirements/index.ts'
import { families, familyOf } from './families.ts'
import { nullsOf } from './family.ts'
import type { Figures, Proof } from './figures.ts'

const share = (part: number, whole: number) =>
  `${part} of ${whole} (${whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10} %)`

/** PROOF.md: what the proof found, without anything that changes from run to run. */
export function render(proof: Proof, figures: Figures, checked: ReadonlySet<string>): string {
  const all = [...proof.faults, ...proof.mutants]
  const total = figures.faults + figures.mutants
  return `# Proof

Written by \`npm run proof\`. Every figure is counted in that run: nothing here is written by hand.

The suite is judged by servers of which the truth is known. Faulty ones break one stated sentence each: the suite must fail them, and for that sentence.
Legal ones use the freedoms that the document leaves: the suite must not fail them. Null targets are no implementations at all: nothing may pass there.

| figure | value |
|---|---|
| faults written by hand | ${figures.faults} |
| faults derived from the contract | ${figures.mutants} |
| killed | ${share(figures.killed, total)} |
| killed by a check of the violated requirement | ${share(figures.rightReason, total)} |
| requirements that one fault breaks | median ${figures.fanOut.median} |
| expectations | ${figures.expectations} |
| expectations that kill nothing | ${figures.deadExpectations.length} |
| must-requirements with fewer than two faults | ${figures.thinRows.length} |
| legal servers judged | ${figures.variations} |
| failures of legal servers | ${figures.falseFailures.length} |
| warnings of legal servers that break no should | ${figures.unwarranted.length} |
| null targets | ${proof.nulls.length} |
| passes on null targets | ${figures.nullPasses.length} |

## Sensitivity: faults for each requirement

Written faults by name; those derived from the contract by their number.

${topics
  .map((topic) => topicTable(topic, all, new Set(proof.mutants.map(({ fault }) => fault)), checked))
  .filter(Boolean)
  .join('\n\n')}

## Soundness: legal servers

| subject | legal server | failures | warnings | checks not covered |
|---|---|---|---|---|
${proof.variations.map(({ family, name, failures, warnings, uncovered }) => `| ${family} | ${name} | ${failures.length} | ${[...new Set(warnings)].join(', ') || '0'} | ${uncovered.length} |`).join('\n')}

Open points without a variation:

${families
  .flatMap(({ withoutVariations }) => Object.entries(withoutVariations))
  .map(([row, reason]) => `- ${row}: ${reason}`)
  .join('\n')}

## Null targets

| subject | target | what it does | passes |
|---|---|---|---|
${proof.nulls.map(({ family, name, totals }) => `| ${family} | ${name} | ${nullsOf(familyOf(family)).find((target) => target.name === name)?.says ?? ''} | ${totals.pass} |`).join('\n')}
`
}

function topicTable(
  { title, topic, contract }: { title: string; topic: string; contract: string },
  all: Proof['faults'],
  derived: ReadonlySet<string>,
  checked: ReadonlySet<string>,
): string {
  const rows = (Object.keys(requirements) as RequirementId[]).filter(
    (row) =>
      requirements[row].contract === contract &&
      requirements[row].topic === topic &&
      checked.has(row) &&
      requirements[row].level !== 'open',
  )
  if (rows.length === 0) return ''
  const line = (row: RequirementId) => {
    const killed = all
      .filter(({ violates, found }) => violates.includes(row) && found.includes(row))
      .map(({ fault }) => fault)
    const written = killed.filter((fault) => !derived.has(fault))
    const count = killed.length - written.length
    const shown = [
      ...written.slice(0, 6).map((fault) => `\`${fault}\``),
      ...(written.length > 6 ? [`${written.length - 6} more`] : []),
      ...(count > 0 ? [`${count} derived`] : []),
    ]
    return `| ${row} | ${requirements[row].level} | ${shown.join(', ') || 'none'} |`
  }
  return `### ${contract}: ${title}\n\n| requirement | level | killed by its checks |\n|---|---|---|\n${rows.map(line).join('\n')}`
}
