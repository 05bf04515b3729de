import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkYaml } from './yaml.ts'

test('a duplicate key in a YAML file is reported', () => {
  expect(checkYaml()).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-yaml-'))
  writeFileSync(join(folder, 'duplicate.yaml'), 'a: 1\nb: { c: 2, c: 3 }\n')
  try {
    expect(checkYaml(folder).join()).toMatch(/duplicate\.yaml: Map keys must be unique/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
