import { Option, type Command } from 'commander'
import { flagOf, sectionOf } from '../../../conformance/target-file/index.ts'
import { kinds } from '../../../conformance/target-file/kinds.ts'
import { keys } from '../../../conformance/target.ts'
import { UsageError } from '../../print-error.ts'

/** Declares an option for each key of the target file. Hidden options are not in the help. */
export function declareKeys(command: Command, { isHidden = false } = {}): void {
  for (const { path, kind, description, variable, fallback, formerName } of keys) {
    const value = kind === 'switch' ? '[true|false]' : `<${kinds[kind].placeholder ?? kind}>`
    const more = [
      variable === undefined ? undefined : `environment variable: ${variable}`,
      fallback === undefined ? undefined : `default: ${fallback}`,
    ]
    const text = [description, ...more.filter((note) => note !== undefined)].join('; ')
    command.addOption(
      new Option(`${flagOf(path)} ${value}`, text)
        .helpGroup(
          'Target options (each is also a key of the target file: images.other.account is\n--images-other-account; touchstone init writes all keys):',
        )
        .hideHelp(isHidden),
    )
    if (formerName !== undefined) command.addOption(renamedOption(path, formerName))
  }
}

/**
 * Returns a hidden option for the former name of a renamed key. Using that option is an error,
 * whose message contains the new name.
 */
function renamedOption(path: string, formerName: string): Option {
  const flag = flagOf(`${sectionOf(path)}.${formerName}`)
  return new Option(`${flag} <value>`).hideHelp().argParser(() => {
    throw new UsageError(`${flag} is called ${flagOf(path)} now.`)
  })
}
