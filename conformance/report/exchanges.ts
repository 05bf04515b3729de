import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { showHidden, type ExchangeRecord, type Outcome, type Verdict } from '../engine/index.ts'
import { writeReportFile } from './report-file.ts'
import type { Reporter } from './result.ts'
import { exchangesFile, statusText, explanationOf, type ExplanationLine } from './explanation.ts'

const reportedOutcomes = new Set<Outcome>(['fail', 'warn', 'error', 'known'])

/**
 * Writes one file for each failure (known or not), warning and error, and for each passed check
 * whose exchanges were kept. `exchanges/<key>.txt` contains the explanation and all exchanges.
 * Removes the files of an earlier run.
 */
export function exchangesReporter(folder: string): Reporter {
  const directory = join(folder, 'exchanges')
  return {
    end({ verdicts, repeat, keepsAllExchanges = false }) {
      for (const name of existing(directory)) rmSync(join(directory, name))
      const reported = verdicts.filter(
        ({ verdict, exchanges }) =>
          reportedOutcomes.has(verdict) || (keepsAllExchanges && exchanges.length > 0),
      )
      // If a curl command reads the request's body from a file, that file is written here too.
      for (const { request, bodyFile } of reported.flatMap(({ exchanges }) => exchanges))
        if (bodyFile !== undefined && request.body !== null)
          writeReportFile(join(directory, bodyFile), request.body)
      return reported.map((verdict) =>
        writeReportFile(
          join(folder, exchangesFile(verdict)),
          textOf(verdict, explanationOf(verdict, repeat)),
        ),
      )
    },
  }
}

function existing(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) =>
      /^([A-Z]+-[\w-]+\.txt|exchange-\d+\.body)$/.test(name),
    )
  } catch {
    return []
  }
}

function textOf(
  { requirement, title, verdict, exchanges }: Verdict,
  explanation: readonly ExplanationLine[],
): string {
  const head = [
    `${verdict}: ${requirement}  ${title}`,
    ...explanation.map(([label, text]) => `  ${label.padEnd(9)} ${text}`),
  ]
  return `${showHidden([...head, ...exchanges.map(exchangeText)].join('\n'))}\n`
}

function exchangeText({
  number,
  operation,
  request,
  response,
  failure,
  milliseconds,
  curl,
}: ExchangeRecord): string {
  const lines = [
    '',
    `━━━ exchange ${number}: ${operation}, ${milliseconds} ms`,
    '',
    `# ${curl}`,
    '',
    `${request.method} ${request.url}`,
  ]
  for (const [name, value] of Object.entries(request.headers)) lines.push(`${name}: ${value}`)
  if (request.body !== null) lines.push('', request.body)
  lines.push('')
  if (response !== undefined) {
    lines.push(
      `→ ${statusText(response)}`,
      ...response.headers.map(([name, value]) => `${name}: ${value}`),
      '',
      response.body,
    )
  }
  if (failure !== undefined) lines.push(`→ ${failure}`)
  return lines.join('\n')
}
