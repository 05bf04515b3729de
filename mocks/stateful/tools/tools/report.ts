import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import { newPageResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
import { readHints, defineTool } from '../kit/tool.ts'
import { copies } from '../library/kinds.ts'

const aisles = ['A', 'B', 'C', 'D']

export const reportInventory = defineTool({
  name: 'report_inventory',
  title: 'Report the inventory',
  description:
    'Reports the last inventory, copy by copy, and its progress while it counts. Accepts aisle, limit, offset and response_format. ' +
    'Returns one page of copies, fewer if it would be too long. Not for looking up a book: use shelf_get_book.',
  annotations: readHints(false),
  input: z.object({
    aisle: z
      .enum(['all', ...aisles])
      .default('all')
      .describe('The aisle to count.'),
    limit: fieldTypes.limit,
    offset: fieldTypes.offset,
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { aisle },
      server: { library },
      client,
    } = call
    await client.log('info', 'The inventory starts')
    const counted: object[] = []
    for (const [at, name] of aisles.entries()) {
      const copiesInAisle = library.copies.filter((copy) => copy.shelf.startsWith(name))
      if (aisle === 'all' || aisle === name) counted.push(...copiesInAisle)
      await client.log('debug', `Aisle ${name} has ${copiesInAisle.length} copies`)
      await client.progress(at + 1, aisles.length, `Aisle ${name} is counted`)
      // Keeps a long report from blocking other calls.
      await yieldToEventLoop()
    }
    await client.log('error', 'A label in aisle B could not be read')
    return newPageResult(call, copies, counted, {
      title: aisle === 'all' ? 'Inventory' : `Inventory of aisle ${aisle}`,
    })
  },
})
