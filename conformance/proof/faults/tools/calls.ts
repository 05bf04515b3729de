import type { ContentBlock, ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import type { ToolsFault } from './fault.ts'
import { defines, fault, onReply, onRequest, over, type MakeToolsDeviation } from './building.ts'

/** Changes the results of one tool. */
const ofTool = (name: string, change: (result: ToolResult) => ToolResult): MakeToolsDeviation =>
  onReply((result, { tool }) => (tool.name === `shelf_${name}` ? change(result) : undefined))

/** A server that declares the schemas of its outputs. */
const declaring =
  (structured: 'data' | 'wrapped', make: MakeToolsDeviation): MakeToolsDeviation =>
  (hit) => ({ ...make(hit), choices: { structured, outputSchema: true } })

/** Claims other hints of a tool. */
const claims = (name: string, hints: Record<string, boolean>): MakeToolsDeviation =>
  defines((definition) =>
    definition.name === `shelf_${name}`
      ? { ...definition, annotations: { ...definition.annotations, ...hints } }
      : undefined,
  )

/** Asks more of the upstream than the tool has to. */
const asksToo = (name: string, method: string, path: string, body?: object): MakeToolsDeviation =>
  onRequest(async (call, next, hit) => {
    if (call.tool.name === `shelf_${name}`) {
      hit()
      await call.server.upstream.request(method, path, body === undefined ? {} : { body })
    }
    return next()
  })

/** Calls, and what comes of them. */
export const calls: readonly ToolsFault[] = [
  fault(
    'loans-are-never-made',
    'Fails whenever a loan is to be made.',
    ['TOOL-CALL-01'],
    onRequest(async (call, next, hit) => {
      if (!call.tool.name.endsWith('create_loan')) return next()
      hit()
      throw new TypeError('no more loans')
    }),
  ),
  fault(
    'status-has-no-content',
    'Gives a result without any text.',
    ['TOOL-CALL-01'],
    ofTool('show_status', (result) => ({ ...result, content: [] })),
  ),
  fault(
    'content-is-a-text',
    'Gives a text in place of a list of content.',
    ['TOOL-CALL-02'],
    ofTool('show_status', (result) => ({
      ...result,
      content: result.content[0]?.text as unknown as ContentBlock[],
    })),
  ),
  fault(
    'content-has-no-types',
    'Gives parts of content without their types.',
    ['TOOL-CALL-02'],
    ofTool('read_rules', (result) => ({
      ...result,
      content: [...result.content, { text: 'more' } as unknown as ContentBlock],
    })),
  ),
  fault(
    'content-has-texts-of-numbers',
    'Gives a number as the text of a part.',
    ['TOOL-CALL-02'],
    ofTool('read_rules', (result) => ({
      ...result,
      content: [...result.content, { type: 'text', text: 3 as unknown as string }],
    })),
  ),
  fault(
    'declared-structure-is-missing',
    'Declares the schemas of its outputs, and gives text only.',
    ['TOOL-CALL-04'],
    declaring(
      'data',
      onReply(({ structuredContent: _, ...rest }) => rest),
    ),
  ),
  fault(
    'declared-structure-is-a-list',
    'Declares the schemas of its outputs, and gives a list as structured content.',
    ['TOOL-CALL-04'],
    declaring(
      'data',
      onReply((result) => ({
        ...result,
        structuredContent: [result.structuredContent] as unknown as Record<string, unknown>,
      })),
    ),
  ),
  fault(
    'structure-is-not-the-declared-one',
    'Declares a text in its outputs, and gives a number.',
    ['TOOL-CALL-04'],
    declaring(
      'wrapped',
      onReply((result) =>
        result.isError === true ? undefined : { ...result, structuredContent: { result: 7 } },
      ),
    ),
  ),
  fault(
    'structure-lacks-what-is-declared',
    'Declares a text in its outputs, and gives an empty object.',
    ['TOOL-CALL-04'],
    declaring(
      'wrapped',
      onReply((result) =>
        result.isError === true ? undefined : { ...result, structuredContent: {} },
      ),
    ),
  ),
  fault(
    'events-show-less',
    'Leaves the last character of results out over HTTP+SSE.',
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
    'subprocesses-know-other-titles',
    'Tells titles in capitals over standard output.',
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
    'changing-claims-to-read',
    'Says of the tool that changes readers that it only reads.',
    ['TOOL-HINT-07'],
    claims('update_reader', { readOnlyHint: true, destructiveHint: false }),
  ),
  fault(
    'deleting-claims-to-read',
    'Says of the tool that deletes loans that it only reads.',
    ['TOOL-HINT-07'],
    claims('delete_loan', { readOnlyHint: true, destructiveHint: false }),
  ),
  fault(
    'reading-changes-a-reader',
    'Changes a reader whenever a book is read.',
    ['TOOL-HINT-07'],
    asksToo('get_book', 'PUT', '/readers/r-001', { city: 'Graz' }),
  ),
  fault(
    'deleting-claims-to-destroy-nothing',
    'Says of the tool that deletes loans that it destroys nothing.',
    ['TOOL-HINT-08'],
    claims('delete_loan', { destructiveHint: false }),
  ),
  fault(
    'lending-ends-another-loan',
    'Ends a loan whenever one is made, by a tool that claims to destroy nothing.',
    ['TOOL-HINT-08'],
    asksToo('create_loan', 'DELETE', '/loans/l-001'),
  ),
]
