import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readExpectedFile, writeExpectedFile } from './expected-file.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-expected-'))
  file = join(folder, 'expected.yaml')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const upload = { id: 'IMG-UPLOAD-04', reason: 'issue 318', until: '2026-12-31' }
const batch = { id: 'IMG-BATCH', reason: 'not ready' }
const entries = async () => (await readExpectedFile(file)).map(({ entry }) => entry)

test('a new file explains itself, also without entries', async () => {
  for (const list of [[], [upload, batch]]) {
    await rm(file, { force: true })
    await writeExpectedFile(file, list)
    expect(await readFile(file, 'utf8')).toMatch(/^# Failures that are known/)
    expect(await entries()).toEqual(list)
  }
})

const own = `# Owned by Ana.

# The old upload.
- id: IMG-UPLOAD-04
  reason: issue 318 # see the tracker
  until: 2026-12-31

# The batch host.
- {id: IMG-BATCH, reason: not ready}
`

test('a list that does not change stays as its users wrote it', async () => {
  await writeFile(file, own)
  await writeExpectedFile(file, [upload, batch])
  expect(await readFile(file, 'utf8')).toBe(own)
})

test('an added or removed entry does not change the comments of other entries', async () => {
  await writeFile(file, own)
  const added = { id: 'IMG-GET-01', reason: 'not met on 2026-11-27: a; b' }
  await writeExpectedFile(file, [{ id: upload.id, reason: upload.reason }, added])
  expect(await entries()).toEqual([{ id: upload.id, reason: upload.reason }, added])
  const text = await readFile(file, 'utf8')
  for (const comment of ['# Owned by Ana.', '# The old upload.', '# see the tracker'])
    expect(text).toContain(comment)
  expect(text).not.toContain('batch')
})

test.each(['[]\n', '', '# nothing yet\n'])(
  'entries are added to the empty list %j',
  async (text) => {
    await writeFile(file, text)
    await writeExpectedFile(file, [batch])
    expect(await readFile(file, 'utf8')).toContain('- id: IMG-BATCH\n  reason: not ready\n')
    await writeExpectedFile(file, [])
    expect(await entries()).toEqual([])
  },
)
