import { UsageError } from '../../print-error.ts'
import { findEvent } from '../deliveries/event.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { secretOf } from '../deliveries/options.ts'
import { inputsOf } from '../deliveries/inputs.ts'
import { ValidatePrinter, type PrintOptions } from './print.ts'
import { judgeInput } from './read.ts'

/** The options as commander returns them. */
interface Options extends PrintOptions {
  event?: string
  token?: string
  strict?: boolean
}

/**
 * Runs `touchstone validate`: judges all inputs. Exits with 3 if an input cannot be read, with 1 if
 * a delivery fails (with --strict, also for warnings), otherwise with 0.
 */
export async function run(words: readonly string[], options: Options): Promise<void> {
  const event = options.event === undefined ? undefined : findEvent(options.event)
  const secret = secretOf(options.token)
  const inputs = inputsOf(words)
  exitOnClosedOutput()
  const printer = new ValidatePrinter({ ...options, hasSecret: secret !== undefined })
  const unread: string[] = []
  for (const input of inputs) {
    const wrong = await judgeInput(input, { event, secret }, printer.print)
    if (wrong !== undefined) unread.push(wrong)
  }
  const { warned, failed } = printer.totals
  const broken = failed > 0 || (options.strict === true && warned > 0)
  printer.end(unread.length > 0 ? 3 : broken ? 1 : 0)
  process.exitCode = broken ? 1 : 0
  if (unread.length > 0)
    throw new UsageError(
      `${unread.join('\n')}\nNext: name files with deliveries as JSON; --help lists the formats.`,
    )
}
