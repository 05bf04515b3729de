import { Option } from 'commander'
import { UsageError } from '../../print-error.ts'
import { isOptionOf, listOf, mockOptions } from './help.ts'
import type { MockOptions } from './options.ts'

/** Throws `UsageError` if an option belongs to none of the named mocks. */
export function requireOwnOptions(names: readonly string[], options: MockOptions): void {
  for (const { flags, scopes = [] } of mockOptions) {
    const option = new Option(flags)
    const value = options[option.attributeName() as keyof MockOptions]
    // commander sets the options that begin with --no- to true if they are omitted.
    const isGiven = option.negate ? value === false : value !== undefined
    // --stateful can be used with every mock: the mocks that do not have it are always stateful.
    if (flags === '--stateful') continue
    if (!isGiven || isOptionOf(flags, names)) continue
    const mocks = [...new Set(scopes.flatMap(([own]) => own))]
    throw new UsageError(
      `${option.long!} can only be used with the ${mocks.length === 1 ? 'mock' : 'mocks'} ${listOf(mocks)}`,
    )
  }
}
