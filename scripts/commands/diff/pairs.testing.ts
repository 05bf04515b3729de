import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Direction } from './change.ts'
import { compareFiles } from './compare.ts'

/** Compares two documents. Returns each change as `level code place`. */
export function changesBetween(
  older: object | string,
  newer: object | string,
  direction?: Direction,
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-diff-'))
  try {
    const files = [older, newer].map((content, index) => {
      const isProto = typeof content === 'string'
      const file = join(folder, `${index}.${isProto ? 'proto' : 'json'}`)
      writeFileSync(file, isProto ? content : JSON.stringify(content))
      return file
    })
    return compareFiles(files[0]!, files[1]!, direction).map(({ level, code, place }) =>
      `${level} ${code} ${place}`.trimEnd(),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
