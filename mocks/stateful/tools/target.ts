import type { ToolsServer } from '../tools.ts'

/** The part of a target file that gives everything of a started server. Arguments are flat, also where the server nests them. */
export function targetOf({ mcp, sse, hook, context: { upstream, choices } }: ToolsServer) {
  return {
    tools: {
      http: mcp,
      sse,
      search: { tool: 'shelf_search_books', arguments: { query: 'the' }, id: 'id', title: 'title' },
      list: { tool: 'shelf_list_readers', arguments: {}, id: 'id', title: 'name' },
      long: { tool: 'shelf_report_inventory', arguments: { limit: 100 } },
      get: { tool: 'shelf_get_book', arguments: { id: 'b-001' } },
      calls: {
        shelf_create_loan: { book_id: 'b-002', reader_id: 'r-003' },
        shelf_update_reader: { id: 'r-002', city: 'Graz' },
        shelf_delete_loan: { id: 'l-001' },
        shelf_read_rules: { topic: 'loans' },
        shelf_show_status: {},
      },
      ...(choices.elicits ? { elicit: { tool: 'shelf_recommend_book', arguments: {}, content: { topic: 'sea' } } } : {}),
      ...(choices.resources ? { resource: 'shelf://books/b-001' } : {}),
      ...(hook === undefined ? {} : { upstream: { listen: '127.0.0.1:0', forward: upstream.home, hook } }),
    },
  }
}
