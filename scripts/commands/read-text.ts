import { readUserFile } from '../../conformance/target-file/user-file.ts'
import { UsageError } from '../print-error.ts'

/** Reads a file that the user names. `label` begins the message of the `UsageError`. */
export function readText(file: string, label = file): string {
  const read = readUserFile(file)
  if ('wrong' in read) throw new UsageError(`${label} cannot be read: ${read.wrong}`)
  return read.text
}
