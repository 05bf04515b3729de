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
const entries = () => readExpectedFile(file)

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
  await writeExpectedFile(file, [upload, added])
  expect(await entries()).toEqual([upload, added])
  const text = await readFile(file, 'utf8')
  for (const comment of ['# Owned by Ana.', '# The old upload.', '# see the tracker'])
    expect(text).toContain(comment)
  expect(text).not.toContain('batch')
})

test('the head stays directly above the list when entries are removed', async () => {
  for (const [before, after] of [
    [[upload, batch], [batch]],
    [[upload, batch], []],
    [[upload], [batch]],
  ]) {
    await rm(file, { force: true })
    await writeExpectedFile(file, before!)
    await writeExpectedFile(file, after!)
    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/^# Failures that are known/)
    expect(text).not.toContain('\n\n')
    expect(await entries()).toEqual(after)
  }
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

test.each([
  ['# Owned by Ana.\n# Ask her first.\n', ''],
  ['# Owned by Ana.\n\n', '# The old upload.\n'],
  ['# Owned by Ana.\n\n# Uploads\n\n', '# The old upload.\n'],
  ['', ''],
])('the head %j stays without the first entry', async (head, comment) => {
  const first = '- id: IMG-UPLOAD-04\n  reason: issue 318\n  until: 2026-12-31\n'
  const second = '- id: IMG-BATCH\n  reason: not ready\n'
  for (const rest of [second, `\n# The batch host.\n${second}`]) {
    await writeFile(file, head + comment + first + rest)
    await writeExpectedFile(file, [batch])
    const kept = head.trimEnd() === '' ? '' : `${head.trimEnd()}\n\n`
    expect(await readFile(file, 'utf8')).toBe(`${kept}${rest.trimStart()}`)
    await writeExpectedFile(file, [])
    expect(await entries()).toEqual([])
    expect(await readFile(file, 'utf8')).toContain(head.trimEnd())
    await writeExpectedFile(file, [batch])
    expect(await entries()).toEqual([batch])
    expect(await readFile(file, 'utf8')).toContain(head.trimEnd())
    await writeExpectedFile(file, [upload])
    expect(await readFile(file, 'utf8')).toMatch(/^(# [^]*\n\n)?- id: IMG-UPLOAD-04\n[^#]*$/)
    expect(await readFile(file, 'utf8')).toContain(head.trimEnd())
  }
})

test('the heading of a group stays without its first or last entry', async () => {
  const other = '- id: IMG-GET-01\n  reason: later\n'
  await writeFile(
    file,
    `${other}\n# Uploads\n\n# The old one.\n- {id: IMG-BATCH, reason: x}\n# end\n`,
  )
  await writeExpectedFile(file, [{ id: 'IMG-GET-01', reason: 'later' }])
  expect(await readFile(file, 'utf8')).toBe(`${other}\n# Uploads\n\n# end\n`)
})

test('a file of only comments keeps them', async () => {
  await writeFile(file, '# Owned by Ana.\n')
  await writeExpectedFile(file, [batch])
  expect(await readFile(file, 'utf8')).toBe(
    '# Owned by Ana.\n- id: IMG-BATCH\n  reason: not ready\n',
  )
})

test('an entry can be an alias, or contain one', async () => {
  await writeFile(
    file,
    '- { id: IMG-UPLOAD-04, reason: &later not ready }\n- { id: IMG-BATCH, reason: *later }\n',
  )
  expect(await entries()).toEqual([{ id: 'IMG-UPLOAD-04', reason: 'not ready' }, batch])
  await writeFile(file, '- &batch { id: IMG-BATCH, reason: not ready }\n- *batch\n')
  await expect(entries()).rejects.toThrow(/:1:16 {2}lists IMG-BATCH again$/)
})
