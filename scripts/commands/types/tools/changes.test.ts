import { expect, test } from 'vitest'
import { toolChanges } from './changes.ts'
import { toolsModule } from './module.ts'

const tool = (name: string, properties: object = {}, description = 'Lists notes.') => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
})
const moduleOf = async (...tools: object[]) => (await toolsModule(tools, 'a server')).text

test('tools are added, removed or changed', async () => {
  const limit = { limit: { type: 'integer', maximum: 100 } }
  const before = await moduleOf(
    tool('notes_list', limit),
    tool('notes_"find"'),
    tool('notes_read'),
    tool('notes_keep', limit),
  )
  const after = await moduleOf(
    tool('notes_list', { limit: { type: 'integer', maximum: 50 } }),
    tool('notes_read', {}, 'Reads a note.'),
    tool('notes_keep', limit),
    tool('notes_add'),
  )
  expect(toolChanges(before, after)).toEqual({
    added: ['notes_add'],
    removed: ['notes_"find"'],
    changed: ['notes_list', 'notes_read'],
  })
  expect(toolChanges(after, after)).toEqual({ added: [], removed: [], changed: [] })
})
