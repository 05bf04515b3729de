import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { pageResult } from '../kit/results.ts'
import { fieldTypes, fieldSchemas } from '../kit/fields.ts'
import { readHints, defineTool } from '../kit/tool.ts'
import { copies } from '../library/kinds.ts'

const rows = ['A', 'B', 'C', 'D']

export const reportInventory = defineTool({
  name: 'report_inventory',
  title: 'Report the inventory',
  description:
    'Reports the last inventory, copy by copy, and its progress while it counts. Accepts row, limit, offset and response_format. ' +
    'Returns one page of copies, fewer if it would be too long. Not for looking up a book: use shelf_get_book.',
  annotations: readHints(false),
  properties: {
    row: {
      type: 'string',
      enum: ['all', ...rows],
      default: 'all',
      description: 'The row of shelves to count.',
    },
    limit: fieldSchemas.limit,
    offset: fieldSchemas.offset,
    response_format: fieldSchemas.response_format,
  },
  required: [],
  input: z.object({
    row: z.enum(['all', ...rows]).default('all'),
    limit: fieldTypes.limit,
    offset: fieldTypes.offset,
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { row },
      server: { library },
      client,
    } = call
    await client.log('info', 'The inventory starts')
    const counted: object[] = []
    for (const [at, name] of rows.entries()) {
      const here = library.copies.filter((copy) => copy.shelf.startsWith(name))
      if (row === 'all' || row === name) counted.push(...here)
      await client.log('debug', `Row ${name} has ${here.length} copies`)
      await client.progress(at + 1, rows.length, `Row ${name} is counted`)
      // Yields, so that a long report does not block other calls.
      await turn()
    }
    await client.log('error', 'A label in row B could not be read')
    return pageResult(call, copies, counted, {
      title: row === 'all' ? 'Inventory' : `Inventory of row ${row}`,
    })
  },
})
