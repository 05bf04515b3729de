import { showHidden, printableJson } from '../../../conformance/engine/index.ts'
import { Screen, type Out } from '../../../conformance/report/screen.ts'

import type { DefinitionFinding } from '../../../conformance/definitions/index.ts'
import { LineWriter } from '../deliveries/lines.ts'

export interface Summary {
  readonly tools: number
  readonly errors: number
  /** How many of the errors break only conventions, which MCP does not require. */
  readonly conventions: number
  readonly warnings: number
  readonly exit: number
}

/** Prints findings, one line each, and a summary, as text or as JSON. Wraps lines on a terminal. */
export function print(
  findings: readonly DefinitionFinding[],
  summary: Summary,
  json: boolean,
  out: Out = process.stdout,
): void {
  const lines = new LineWriter(out)
  if (json) {
    for (const finding of findings) lines.add(printableJson(finding))
    lines.add(printableJson({ summary }))
  } else {
    const screen = new Screen(out)
    const width = Math.min(40, Math.max(0, ...findings.map(({ tool }) => nameOf(tool).length)))
    for (const finding of findings) lines.add(lineOf(finding, width, screen))
    lines.add(summaryLine(summary, screen))
  }
  lines.flush()
}

const indent = 'warning  '.length
/** Separates the problem from the fix. */
const arrow = '→'

const nameOf = (tool: string | undefined) => showHidden(tool ?? 'server').replaceAll(/\s/g, ' ')

function lineOf(
  { rule, requirement, tool, path, severity, problem, fix }: DefinitionFinding,
  width: number,
  screen: Screen,
): string {
  const { red, yellow, bold, dim, green } = screen.color
  const word = (severity === 'error' ? red : yellow)(severity.padEnd(indent - 2))
  // Without a terminal, prints each finding in one line, so that grep finds all of it.
  const name = nameOf(tool)
  if (!screen.live)
    return `${word}  ${name.padEnd(width)}  ${showHidden(`${path}  ${problem} ${arrow} ${fix} [${requirement} ${rule}]`).replaceAll(/\s*\n\s*/g, ' ')}`
  const place =
    name.length + 2 + path.length + indent <= screen.width
      ? `  ${dim(showHidden(path))}`
      : `\n${' '.repeat(indent)}${dim(screen.wrap(path, indent))}`
  const text = screen.wrap(`${problem} ${arrow} ${fix} [${requirement} ${rule}]`, indent)
  const cut = text.indexOf(arrow)
  return `${word}  ${bold(name)}${place}\n${' '.repeat(indent)}${text.slice(0, cut)}${green(text.slice(cut))}`
}

/** Returns a summary, such as "12 tools: 1 error, 2 warnings". */
function summaryLine(
  { tools, errors, conventions, warnings }: Summary,
  { color: { red, yellow, green } }: Screen,
): string {
  const parts = [
    ...(errors > 0 ? [red(counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [yellow(counted(warnings, 'warning'))] : []),
  ]
  return `${counted(tools, 'tool')}: ${parts.length === 0 ? green('no problems') : parts.join(', ')}${noteAbout(conventions, errors)}`
}

function noteAbout(conventions: number, errors: number): string {
  if (conventions === 0) return ''
  const which =
    conventions === errors
      ? errors === 1
        ? 'the error is'
        : 'the errors are'
      : `${conventions} of the errors ${conventions === 1 ? 'is' : 'are'}`
  return `;\n${which} about conventions, which MCP does not require`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
