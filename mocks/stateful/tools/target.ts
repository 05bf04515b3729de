import { authOf } from './auth/target.ts'
import type { ToolsServer } from './server.ts'

/** A program that serves over standard input and output. */
export interface Program {
  command: string
  args: string[]
}

/**
 * The part of a target file that describes a started server, and the program that serves over
 * stdio, if there is one. Arguments are not nested in `params`, even if the server nests them.
 */
export function targetOf(server: ToolsServer, stdio?: Program) {
  const {
    mcp,
    sse,
    upstreamControl,
    clockControl,
    context: { upstream, choices, transports },
  } = server
  const auth = authOf(server)
  return {
    tools: {
      ...(transports.includes('http') ? { http: mcp } : {}),
      ...(transports.includes('sse') ? { sse } : {}),
      ...(stdio === undefined ? {} : { stdio }),
      search: { tool: 'shelf_search_books', arguments: { query: 'the' }, id: 'id', title: 'title' },
      long: { tool: 'shelf_report_inventory', arguments: { limit: 100 }, id: 'id' },
      get: { tool: 'shelf_get_book', arguments: { id: 'b-001' } },
      calls: {
        shelf_list_readers: {},
        shelf_create_loan: { book_id: 'b-002', reader_id: 'r-003' },
        shelf_update_reader: { id: 'r-002', city: 'Graz' },
        shelf_delete_loan: { id: 'l-001' },
        shelf_read_rules: { topic: 'loans' },
        shelf_show_status: {},
      },
      ...(choices.elicitation
        ? { elicit: { tool: 'shelf_recommend_book', arguments: {}, content: { topic: 'sea' } } }
        : {}),
      ...(choices.resources ? { resource: 'shelf://books/b-001' } : {}),
      ...(clockControl === undefined ? {} : { clock: clockControl }),
      ...(upstreamControl === undefined
        ? {}
        : {
            upstream: {
              listen: '127.0.0.1:0',
              forward: upstream.initialUrl,
              control: upstreamControl,
            },
          }),
      ...(auth === undefined ? {} : { auth }),
    },
  }
}
