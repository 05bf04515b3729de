import type { Command } from 'commander'
import { UsageError } from '../print-error.ts'

/**
 * Refuses empty values of options and arguments before a command runs, because they usually come
 * from a variable that is not set. Names to greet may be empty.
 */
export function refuseEmptyValues(program: Command): void {
  program.hook('preAction', (_, command) => {
    for (const option of command.options)
      if (isEmpty(command.getOptionValue(option.attributeName())))
        throw emptyError(option.long ?? option.flags)
    for (const [index, argument] of command.registeredArguments.entries())
      if (!argument.variadic && isEmpty(command.processedArgs[index]))
        throw emptyError(`the argument [${argument.name()}]`)
  })
}

/** Whether a value is empty. For a repeatable option, whether one of its values is empty. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isEmpty) : typeof value === 'string' && value.trim() === ''

const emptyError = (name: string): UsageError =>
  new UsageError(
    `${name} has no value: it is empty. Next: write a value, or omit ${name}. If the value comes from a variable, set the variable.`,
  )
