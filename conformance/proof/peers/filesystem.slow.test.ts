import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listVerdicts } from './reviewed.ts'

const entry = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
)

// The server reads and writes only within the folders that its arguments name. Every line of the
// golden file was reviewed; filesystem.md contains the reasons.
test('the verdicts on server-filesystem are those that were reviewed', async ({
  onTestFinished,
}) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'touchstone-filesystem-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  await mkdir(path('books'))
  await writeFile(path('books/moby-dick.txt'), 'Call me Ishmael.\nSome years ago\n')
  await writeFile(path('books/index.json'), '{}\n')

  // move_file is left out, because it fails if it is repeated.
  const calls = {
    read_file: { path: path('books/moby-dick.txt') },
    read_text_file: { path: path('books/moby-dick.txt'), head: 1 },
    read_media_file: { path: path('books/index.json') },
    read_multiple_files: { paths: [path('books/moby-dick.txt'), path('books/index.json')] },
    write_file: { path: path('notes.txt'), content: 'a note' },
    edit_file: {
      path: path('books/moby-dick.txt'),
      edits: [{ oldText: 'Call', newText: 'Name' }],
      dryRun: true,
    },
    create_directory: { path: path('more') },
    list_directory: { path: folder },
    list_directory_with_sizes: { path: folder, sortBy: 'size' },
    directory_tree: { path: folder },
    search_files: { path: folder, pattern: '**/*.txt' },
    get_file_info: { path: path('books/index.json') },
    list_allowed_directories: {},
  }
  await expect(
    await listVerdicts(
      { stdio: { command: process.execPath, args: [entry, folder], cwd: folder }, calls },
      { contracts: ['tools'] },
    ),
  ).toMatchFileSnapshot('filesystem.golden.txt')
})
