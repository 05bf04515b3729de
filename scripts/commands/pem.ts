import { readFileSync } from 'node:fs'
import { UsageError } from '../print-error.ts'

/** Reads the PEM file of an option. Throws `UsageError`. */
export function pem(flag: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${flag}: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}`,
    )
  }
  if (!text.includes('-----BEGIN ')) throw new UsageError(`${flag}: ${file} is not a PEM file.`)
  return text
}
