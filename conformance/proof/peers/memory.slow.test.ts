import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listVerdicts } from './reviewed.ts'

const entry = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-memory/dist/index.js',
)

// The server stores a graph in one file. Every line of the golden file was reviewed; memory.md
// contains the reasons.
test('the verdicts on server-memory are those that were reviewed', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-memory-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
  const relation = { from: 'Ada', to: 'Grace', relationType: 'knows' }
  const calls = {
    create_entities: {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['writes programs'] },
        { name: 'Grace', entityType: 'person', observations: [] },
      ],
    },
    create_relations: { relations: [relation] },
    delete_entities: { entityNames: ['Nobody'] },
    delete_observations: {
      deletions: [{ entityName: 'Ada', observations: ['sleeps'] }],
    },
    delete_relations: { relations: [{ ...relation, to: 'Nobody' }] },
    read_graph: {},
    search_nodes: { query: 'Ada' },
    open_nodes: { names: ['Ada', 'Grace'] },
  }
  await expect(
    await listVerdicts(
      {
        stdio: { command: process.execPath, args: [entry], env, cwd: folder },
        calls,
        resource: 'memory://knowledge-graph',
      },
      { contracts: ['tools'] },
    ),
  ).toMatchFileSnapshot('memory.golden.txt')
})
