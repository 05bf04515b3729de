import { explanationOf } from './explanation.ts'
import type { Result } from './result.ts'

/** The command lines that the report of a run prints: they repeat checks and requests. */
export const commandsOf = ({
  verdicts,
  repeat,
  exchangesFolder,
}: Pick<Result, 'verdicts' | 'repeat' | 'exchangesFolder'>): string[] =>
  verdicts
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
    .flatMap((verdict) => explanationOf(verdict, repeat, exchangesFolder))
    .flatMap(([label, text]) => (label === 'repeat' || label === 'or' ? [text] : []))
