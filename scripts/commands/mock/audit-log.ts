import { openSync, writeSync } from 'node:fs'
import { printableJson } from '../../../conformance/engine/index.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import type { StartOptions } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'

/**
 * Returns a function that appends an entry of the audit log to a file, as a line of JSON. Throws a
 * `UsageError` if the file cannot be opened. The file stays open until the process exits. If an
 * entry cannot be written, calls `warn` once and writes no more entries, but the server goes on.
 */
export function openAuditLog(
  path: string,
  warn: (message: string) => void = (message) => void process.stderr.write(`${message}\n`),
): NonNullable<StartOptions['onAuditEntry']> {
  const file = open(path)
  let isWritable = true
  return (entry) => {
    if (!isWritable) return
    try {
      writeSync(file, `${printableJson(entry)}\n`)
    } catch (error) {
      isWritable = false
      warn(`The audit log ${path} ends here, as it cannot be written: ${(error as Error).message}`)
    }
  }
}

function open(path: string): number {
  try {
    // Only the owner may read the file, because it contains names of people who log in.
    return openSync(path, 'a', 0o600)
  } catch (error) {
    throw new UsageError(`--audit-log ${path} cannot be written: ${whyUnwritable(error)}`)
  }
}
