import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { figuresOf, shortcomings } from '../conformance/proof/figures.ts'
import { lowered, matrixOf, matrixText, type KillMatrix } from '../conformance/proof/matrix.ts'
import { parts, prove } from '../conformance/proof/prove.ts'
import { render } from '../conformance/proof/render.ts'
import { plan } from '../conformance/suite.ts'

const help = `Judges the suite itself: faulty servers must be killed for the right reason, legal ones must not fail.

  npm run proof                       proves everything, writes conformance/proof/PROOF.md and kill-matrix.json
  npm run proof -- --check            proves everything, compares with what is committed, writes nothing
  npm run proof -- --quick            each fault by the checks of its own topics, a tenth of the mutants (another one each day, or --part 0 to 9),
                                      all legal servers; compares with the committed kill matrix, writes nothing
  npm run proof -- --family hooks     proves one family of servers whole, writes nothing
  npm run proof -- --only deleted     proves the faults, mutants, variations and null targets of that beginning, writes nothing

Ends 0 where the proof stands, 1 where it does not.
`

// Also where this runs compiled, the proof is kept beside the sources.
const root = new URL(import.meta.url.includes('/dist/scripts/') ? '../../' : '../', import.meta.url)
const placeOf = (name: string) => fileURLToPath(new URL(`conformance/proof/${name}`, root))

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  const check = words.includes('--check')
  const isQuick = words.includes('--quick')
  const valuesOf = (option: string) =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []))
  const [only, within] = [valuesOf('--only'), valuesOf('--family')]
  const part = Number(valuesOf('--part')[0] ?? Math.floor(Date.now() / 86_400_000) % parts)
  const golden = JSON.parse(await readFile(placeOf('kill-matrix.json'), 'utf8')) as KillMatrix
  const started = performance.now()
  const proof = await prove({
    workers: Math.min(4, availableParallelism()),
    within,
    only,
    ...(isQuick ? { quick: { part, golden } } : {}),
    progress,
  })
  // The rows of authentication have faults in several families: one of these alone cannot tell whether they are enough.
  const judges = (await plan()).filter(
    ({ section, contract }) =>
      within.length === 0 || (within.includes(section) && contract !== 'auth'),
  )
  const checked = new Set(judges.map(({ requirement }) => requirement as string))
  const figures = figuresOf(proof, checked)
  const partly = only.length > 0 || within.length > 0
  const problems = shortcomings(
    only.length > 0 || isQuick ? { ...figures, deadExpectations: [], thinRows: [] } : figures,
  )
  const matrix = matrixOf(proof)
  if (isQuick || (check && !partly)) {
    const tried = Object.entries(golden).filter(([fault]) => !isQuick || fault in matrix)
    problems.push(
      ...lowered(Object.fromEntries(tried), matrix).map((cell) => `kill matrix lowered: ${cell}`),
    )
    const unknown = Object.keys(matrix).filter((fault) => !(fault in golden))
    problems.push(
      ...unknown.map(
        (fault) => `not in the kill matrix yet: ${fault}; run npm run proof and commit it`,
      ),
    )
  }
  if (
    check &&
    !partly &&
    figuresOfPage(await readFile(placeOf('PROOF.md'), 'utf8')) !==
      figuresOfPage(render(proof, figures, checked))
  ) {
    problems.push(
      'the figures of PROOF.md are not those of this run: run npm run proof, read what changed, and commit it',
    )
  }
  if (!check && !isQuick && !partly && problems.length === 0) {
    await writeFile(placeOf('PROOF.md'), render(proof, figures, checked))
    await writeFile(placeOf('kill-matrix.json'), matrixText(matrix))
  }
  if (isQuick)
    process.stdout.write(
      `mutants: part ${part} of ${parts} (--part ${part} repeats it); ${proof.judgedAgain} faults judged again by all checks\n`,
    )
  process.stdout.write(`${problems.map((problem) => `${problem}\n`).join('')}${summary(figures)}\n`)
  process.stdout.write(
    `${problems.length === 0 ? 'The proof stands' : `${problems.length} shortcomings`}, ${Math.round((performance.now() - started) / 1000)} s\n`,
  )
  return problems.length === 0 ? 0 : 1
}

/** The page down to its first list: what stands below may differ with the timing of races, the figures may not. */
function figuresOfPage(page: string): string {
  return page.slice(0, page.indexOf('\n## '))
}

function summary({
  faults,
  mutants,
  killed,
  rightReason,
  variations,
  falseFailures,
  expectations,
  deadExpectations,
}: ReturnType<typeof figuresOf>): string {
  return `${faults} faults and ${mutants} mutants: ${killed} killed, ${rightReason} for the right reason; ${variations} legal servers: ${falseFailures.length} failures; ${expectations} expectations: ${deadExpectations.length} kill nothing`
}

function progress(done: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(done === total ? '\r\x1b[K' : `\r${done} of ${total}`)
  else if (done % 200 === 0) process.stderr.write(`${done} of ${total}\n`)
}

process.exitCode = await main(process.argv.slice(2))
