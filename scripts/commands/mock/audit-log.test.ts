import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openAuditLog } from './audit-log.ts'

// Writes to this device fail as on a full disk. It exists on Linux only.
const full = '/dev/full'

test.runIf(existsSync(full))('warns once and goes on if the disk is full', () => {
  const warnings: string[] = []
  const append = openAuditLog(full, (message) => void warnings.push(message))
  const entry = { at: '2026-01-01T00:00:00.000Z', event: 'tool' } as unknown as Parameters<
    typeof append
  >[0]
  append(entry)
  append(entry)
  expect(warnings).toEqual([
    expect.stringContaining('The audit log /dev/full ends here, as it cannot be written: ENOSPC'),
  ])
})
