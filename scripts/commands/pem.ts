import { readPem, type PemContent } from '../../conformance/target-file/pem.ts'
import { UsageError } from '../print-error.ts'

/** Reads the PEM file of an option. Throws `UsageError`. */
export function pem(flag: string, file: string, content: PemContent): string {
  const read = readPem(file, content)
  if ('wrong' in read) throw new UsageError(`${flag}: ${file} ${read.wrong}.`)
  return read.value
}
