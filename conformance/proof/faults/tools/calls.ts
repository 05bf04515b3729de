import type { ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import type { ContentBlock, ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import { addCopy } from './books.ts'
import type { ToolsFault } from './fault.ts'
import {
  onDefinition,
  fault,
  onReply,
  onRequest,
  over,
  type MakeToolsDeviation,
} from './building.ts'

/** Changes the results of one tool. */
const onResultOf = (name: string, change: (result: ToolResult) => ToolResult): MakeToolsDeviation =>
  onReply((result, { tool }) => (tool.name === `shelf_${name}` ? change(result) : undefined))

/** Runs the fault on a server that declares output schemas. */
const withOutputSchema =
  (structured: 'data' | 'wrapped', make: MakeToolsDeviation): MakeToolsDeviation =>
  (hit) => ({ ...make(hit), choices: { structured, outputSchema: true } })

/** Changes the hints of one tool. */
const changeHints = (name: string, hints: Record<string, boolean>): MakeToolsDeviation =>
  onDefinition((definition) =>
    definition.name === `shelf_${name}`
      ? { ...definition, annotations: { ...definition.annotations, ...hints } }
      : undefined,
  )

/** Adds a copy of a book, by default the first one, in each call of a tool. */
const addCopyIn = (name: string): MakeToolsDeviation =>
  onRequest(async (call, next, hit) => {
    const result = await next()
    if (call.tool.name !== `shelf_${name}`) return result
    hit()
    addCopy(call, call.args['id'])
    return result
  })

/** Sends an additional upstream request with each call of a tool. */
const requestToo = (
  name: string,
  method: string,
  path: string,
  body?: object,
): MakeToolsDeviation =>
  onRequest(async (call, next, hit) => {
    if (call.tool.name === `shelf_${name}`) {
      hit()
      // A second request may fail, because the first one has changed the data.
      await call.server.upstream
        .request(method, path, body === undefined ? {} : { body })
        .catch(() => undefined)
    }
    return next()
  })

/** Does more in each call of shelf_update_reader except the first. `count` counts these calls. */
const repeatToo = (
  deviate: (call: ToolCall, count: number) => Promise<unknown>,
): MakeToolsDeviation => {
  let count = 0
  return onRequest(async (call, next, hit) => {
    if (call.tool.name === 'shelf_update_reader') {
      if (count > 0) {
        hit()
        await deviate(call, count)
      }
      count += 1
    }
    return next()
  })
}

/** Faults of calls and of their results. */
export const calls: readonly ToolsFault[] = [
  fault(
    'creating-a-loan-fails',
    'Reports an unexpected error for every call that creates a loan.',
    ['TOOL-CALL-01'],
    onRequest(async (call, next, hit) => {
      if (!call.tool.name.endsWith('create_loan')) return next()
      hit()
      throw new TypeError('no more loans')
    }),
  ),
  fault(
    'status-has-no-content',
    'Returns a result without content.',
    ['TOOL-CALL-01'],
    onResultOf('show_status', (result) => ({ ...result, content: [] })),
  ),
  fault(
    'structured-content-is-an-array',
    'Returns an array as structuredContent.',
    ['TOOL-CALL-08'],
    onResultOf('show_status', (result) => ({
      ...result,
      structuredContent: [result.content[0]?.text] as unknown as Record<string, unknown>,
    })),
  ),
  fault(
    'is-error-is-a-string',
    'Returns the string "false" in isError.',
    ['TOOL-CALL-08'],
    onResultOf('show_status', (result) => ({
      ...result,
      isError: 'false' as unknown as boolean,
    })),
  ),
  fault(
    'content-is-a-string',
    'Returns a string instead of an array as content.',
    ['TOOL-CALL-02'],
    onResultOf('show_status', (result) => ({
      ...result,
      content: result.content[0]?.text as unknown as ContentBlock[],
    })),
  ),
  fault(
    'content-has-no-types',
    'Returns content blocks without a type.',
    ['TOOL-CALL-02'],
    onResultOf('read_rules', (result) => ({
      ...result,
      content: [...result.content, { text: 'more' } as unknown as ContentBlock],
    })),
  ),
  fault(
    'content-text-is-a-number',
    'Returns a number as the text of a content block.',
    ['TOOL-CALL-02'],
    onResultOf('read_rules', (result) => ({
      ...result,
      content: [...result.content, { type: 'text', text: 3 as unknown as string }],
    })),
  ),
  fault(
    'declared-structure-is-missing',
    'Declares output schemas and returns only text.',
    ['TOOL-CALL-04'],
    withOutputSchema(
      'data',
      onReply(({ structuredContent: _, ...rest }) => rest),
    ),
  ),
  fault(
    'declared-structure-is-a-list',
    'Declares output schemas and returns an array as structured content.',
    ['TOOL-CALL-04'],
    withOutputSchema(
      'data',
      onReply((result) => ({
        ...result,
        structuredContent: [result.structuredContent] as unknown as Record<string, unknown>,
      })),
    ),
  ),
  fault(
    'structure-is-not-the-declared-one',
    'Declares a string in an output schema and returns a number.',
    ['TOOL-CALL-04'],
    withOutputSchema(
      'wrapped',
      onReply((result) =>
        result.isError === true ? undefined : { ...result, structuredContent: { result: 7 } },
      ),
    ),
  ),
  fault(
    'structure-lacks-what-is-declared',
    'Declares a required string in an output schema and returns an empty object.',
    ['TOOL-CALL-04'],
    withOutputSchema(
      'wrapped',
      onReply((result) =>
        result.isError === true ? undefined : { ...result, structuredContent: {} },
      ),
    ),
  ),
  fault(
    'structure-has-a-forbidden-member',
    'Forbids other members in an output schema, and returns one.',
    ['TOOL-CALL-04'],
    withOutputSchema('wrapped', (hit) => ({
      ...onDefinition((definition) => ({
        ...definition,
        outputSchema: {
          ...(definition['outputSchema'] as Record<string, unknown>),
          additionalProperties: false,
        },
      }))(hit),
      ...onReply((result) =>
        result.isError === true
          ? undefined
          : { ...result, structuredContent: { ...result.structuredContent, took: 7 } },
      )(hit),
    })),
  ),
  fault(
    'structure-of-some-rules-is-empty',
    'Declares a required string in an output schema, and omits it for one topic of the rules.',
    ['TOOL-CALL-04'],
    withOutputSchema(
      'wrapped',
      onReply((result, { args }) =>
        args['topic'] === 'quiet' ? { ...result, structuredContent: {} } : undefined,
      ),
    ),
  ),
  fault(
    'sse-results-are-truncated',
    'Truncates results over HTTP+SSE.',
    ['TOOL-CALL-07'],
    over(
      ['http', 'sse'],
      onReply((result, { session }) => {
        const [part] = result.content
        return session.transport !== 'sse' ||
          part?.text === undefined ||
          part.text.startsWith('{') === false
          ? undefined
          : { ...result, content: [{ ...part, text: `${part.text.slice(0, -2)} }` }] }
      }),
    ),
  ),
  fault(
    'stdio-results-differ',
    'Returns THE instead of The in results over standard output.',
    ['TOOL-CALL-07'],
    over(
      ['http', 'stdio'],
      onReply((result, { session }) => {
        const [part] = result.content
        return session.transport !== 'stdio' || part?.text === undefined
          ? undefined
          : { ...result, content: [{ ...part, text: part.text.replaceAll('The ', 'THE ') }] }
      }),
    ),
  ),

  fault(
    'update-declared-read-only',
    'Declares that the tool that updates readers only reads.',
    ['TOOL-HINT-07'],
    changeHints('update_reader', { readOnlyHint: true, destructiveHint: false }),
  ),
  fault(
    'deletion-declared-read-only',
    'Declares that the tool that deletes loans only reads.',
    ['TOOL-HINT-07'],
    changeHints('delete_loan', { readOnlyHint: true, destructiveHint: false }),
  ),
  fault(
    'reading-a-book-updates-a-reader',
    'Updates a reader whenever the read-only tool that returns a book is called.',
    ['TOOL-HINT-07'],
    requestToo('get_book', 'PUT', '/readers/r-001', { city: 'Graz' }),
  ),
  fault(
    'reading-a-book-creates-a-loan',
    'Creates a loan whenever the read-only tool that returns a book is called.',
    ['TOOL-HINT-07'],
    requestToo('get_book', 'POST', '/loans', { book_id: 'b-003', reader_id: 'r-004', days: 1 }),
  ),
  fault(
    'reading-a-book-creates-a-loan-without-location',
    'Creates a loan, without receiving its Location, whenever a book is read.',
    ['TOOL-HINT-07'],
    requestToo('get_book', 'POST', '/loans?location=none', {
      book_id: 'b-003',
      reader_id: 'r-004',
      days: 1,
    }),
  ),
  fault(
    'creation-declared-idempotent',
    'Declares that a repeated call of the tool that creates loans has no additional effect.',
    ['TOOL-HINT-09'],
    changeHints('create_loan', { idempotentHint: true }),
  ),
  fault(
    'updating-a-reader-creates-a-loan',
    'Creates a loan at each call of the idempotent tool that updates readers.',
    ['TOOL-HINT-09'],
    requestToo('update_reader', 'POST', '/loans', {
      book_id: 'b-005',
      reader_id: 'r-004',
      days: 1,
    }),
  ),
  fault(
    'updating-a-reader-creates-a-loan-without-location',
    'Creates a loan, without receiving its Location, at each call of the tool that updates readers.',
    ['TOOL-HINT-09'],
    requestToo('update_reader', 'POST', '/loans?location=none', {
      book_id: 'b-005',
      reader_id: 'r-004',
      days: 1,
    }),
  ),
  fault(
    'reading-a-book-changes-its-copies',
    'Adds a copy of a book whenever the read-only tool that returns a book is called.',
    ['TOOL-HINT-12'],
    addCopyIn('get_book'),
  ),
  fault(
    'the-status-changes-a-book',
    'Adds a copy of the first book whenever the read-only tool that shows the status is called.',
    ['TOOL-HINT-12'],
    addCopyIn('show_status'),
  ),
  fault(
    'updating-a-reader-changes-a-book',
    'Adds a copy of a book at each call of the idempotent tool that updates readers.',
    ['TOOL-HINT-13'],
    addCopyIn('update_reader'),
  ),
  fault(
    'deleting-a-loan-again-changes-a-book',
    'Adds a copy of a book at each call of the idempotent tool that deletes loans.',
    ['TOOL-HINT-13'],
    addCopyIn('delete_loan'),
  ),
  fault(
    'reading-a-book-has-a-closed-world',
    'Declares a closed world for the tool that reads a book from the upstream.',
    ['TOOL-HINT-14'],
    changeHints('get_book', { openWorldHint: false }),
  ),
  fault(
    'updating-a-reader-has-a-closed-world',
    'Declares a closed world for the tool that updates a reader at the upstream.',
    ['TOOL-HINT-14'],
    changeHints('update_reader', { openWorldHint: false }),
  ),
  fault(
    'second-update-changes-another-reader',
    'Updates another reader as well at each call of the idempotent tool except the first.',
    ['TOOL-HINT-09'],
    repeatToo((call, count) =>
      call.server.upstream.request('PUT', '/readers/r-009', { body: { city: `Leeds ${count}` } }),
    ),
  ),
  fault(
    'deletion-declared-not-destructive',
    'Declares that the tool that deletes loans is not destructive.',
    ['TOOL-HINT-08'],
    changeHints('delete_loan', { destructiveHint: false }),
  ),
  fault(
    'creating-a-loan-deletes-another',
    'Deletes a loan whenever a loan is created by a tool that is declared not destructive.',
    ['TOOL-HINT-08'],
    requestToo('create_loan', 'DELETE', '/loans/l-001'),
  ),
]
