import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { pageAnswer } from '../kit/answers.ts'
import { checked, told } from '../kit/fields.ts'
import { reads, tool } from '../kit/tool.ts'
import { copies } from '../shelf/kinds.ts'

const rows = ['A', 'B', 'C', 'D']

export const reportInventory = tool({
  name: 'report_inventory',
  title: 'Report the inventory',
  description:
    'Tells what the last inventory found, copy by copy, and how far it is while it counts. Takes row, limit, offset and response_format. ' +
    'Returns one page of copies, fewer where it would be too long. Not for looking up a book: use shelf_get_book.',
  annotations: reads(false),
  properties: {
    row: {
      type: 'string',
      enum: ['all', ...rows],
      default: 'all',
      description: 'The row of shelves that is counted.',
    },
    limit: told.limit,
    offset: told.offset,
    response_format: told.response_format,
  },
  required: [],
  input: z.object({
    row: z.enum(['all', ...rows]).default('all'),
    limit: checked.limit,
    offset: checked.offset,
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      args: { row },
      server: { shelf },
      talk,
    } = call
    await talk.log('info', 'The inventory begins')
    const counted: object[] = []
    for (const [at, name] of rows.entries()) {
      const here = shelf.copies.filter((copy) => copy.shelf.startsWith(name))
      if (row === 'all' || row === name) counted.push(...here)
      await talk.log('debug', `Row ${name} has ${here.length} copies`)
      await talk.progress(at + 1, rows.length, `Row ${name} is counted`)
      // Others have their turn: a long report holds nobody up.
      await turn()
    }
    await talk.log('error', 'A label in row B could not be read')
    return pageAnswer(call, copies, counted, {
      title: row === 'all' ? 'Inventory' : `Inventory of row ${row}`,
    })
  },
})
