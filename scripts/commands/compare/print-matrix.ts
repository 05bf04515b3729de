import { showHidden } from '../../../conformance/engine/index.ts'
import {
  describeResult,
  describeSelections,
  type Matrix,
} from '../../../conformance/compare/matrix.ts'
import { count } from '../../../conformance/report/explanation.ts'
import { toneOf } from '../../../conformance/report/groups.ts'
import { Screen, type Out } from '../../../conformance/report/screen.ts'
import { paint } from '../../../conformance/report/topics.ts'

/** Prints the result of each implementation in one line, and the path of the page. */
export function printMatrix(
  { runs, required, open }: Matrix,
  file: string,
  out: Out = process.stdout,
): void {
  const screen = new Screen(out)
  const { color } = screen
  const width = Math.max(...runs.map(({ name }) => name.length))
  for (const run of runs) {
    const meaning = screen.wrap(describeResult(run), width + 2)
    screen.line(
      `${color.bold(showHidden(run.name).padEnd(width))}  ${paint[toneOf(run)](color)(meaning)}`,
    )
  }
  const selections = describeSelections(runs)
  if (selections !== undefined) screen.line(`\n${screen.wrap(selections, 0)}\n`)
  const differing = (topics: Matrix['open']) =>
    topics.flatMap(({ rows }) => rows).filter(({ differs }) => differs).length
  screen.line(
    screen.wrap(
      `The results differ for ${count(differing(required), 'requirement')}, and for ${count(differing(open), 'choice')} that the contract leaves.`,
      0,
    ),
  )
  screen.line(color.dim(`page: ${file}`))
}
