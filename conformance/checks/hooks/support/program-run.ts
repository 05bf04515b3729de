import type { ExchangeRecord, Message } from '../../../engine/index.ts'
import type { Redactor } from '../../../wire/index.ts'
import { redactedWord } from '../../../wire/shell.ts'
import type { EventProgram } from '../target.ts'

/** The command line of a program, for a shell. Secrets are replaced by their variables. */
export const commandLineOf = ({ command, args = [] }: EventProgram, redact: Redactor): string =>
  [command, ...args].map((word) => redactedWord(word, redact)).join(' ')

interface ProgramRunOptions {
  number: number
  /** The command line, without secrets. */
  commandLine: string
  /** Why the program failed; undefined if it exited with 0. */
  failure: string | undefined
  milliseconds: number
}

/** A program of the target file that the suite ran to cause an event. No check examines it. */
export class ProgramRun implements Message {
  readonly operation = 'triggerEvent'
  readonly kind = 'triggerEvent'
  readonly number: number
  readonly commandLine: string
  readonly failure: string | undefined
  readonly milliseconds: number

  constructor({ number, commandLine, failure, milliseconds }: ProgramRunOptions) {
    this.number = number
    this.commandLine = commandLine
    this.failure = failure
    this.milliseconds = milliseconds
  }

  /** The run as plain data. The method is `program`, and the URL is the command line. */
  record(): ExchangeRecord {
    const { number, operation, commandLine, failure, milliseconds } = this
    return {
      number,
      operation,
      request: { method: 'program', url: commandLine, headers: {}, body: null },
      ...(failure === undefined
        ? { response: { status: 0, headers: [], body: 'exit code 0' } }
        : { failure }),
      curl: commandLine,
      milliseconds,
    }
  }
}
