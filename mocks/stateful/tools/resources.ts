import type { ResourceContent, ToolsContext } from './call.ts'
import { invalidParams, resourceNotFound, JsonRpcError } from './protocol.ts'

/** The URI templates of the library. */
const templates = [
  {
    uriTemplate: 'shelf://books/{id}',
    name: 'book',
    title: 'Book',
    description: 'One book as JSON.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'shelf://rules/{topic}',
    name: 'rules',
    title: 'Rules',
    description: 'The rules of the library on loans, quiet or returns.',
    mimeType: 'text/plain',
  },
]

/** Lists the templates. */
export const listTemplates = ({ fixtures }: ToolsContext): Record<string, unknown> => ({
  resourceTemplates: [...templates, ...(fixtures?.templates ?? [])],
})

/** Lists the rules of the library, but not the books, because there are too many. */
export function listResources({
  library,
  choices,
  fixtures,
}: ToolsContext): Record<string, unknown> {
  const topics = choices.listsResources ? Object.keys(library.rules) : []
  const rules = topics.map((topic) => ({
    uri: `shelf://rules/${topic}`,
    name: `rules-${topic}`,
    title: `Rules on ${topic}`,
    mimeType: 'text/plain',
  }))
  return { resources: [...rules, ...(fixtures?.resources ?? [])] }
}

/** The result of `resources/read`. Throws if the URI is unknown. */
export function readResource(context: ToolsContext, uri: unknown): Record<string, unknown> {
  if (typeof uri !== 'string') throw new JsonRpcError(invalidParams, 'uri must be a string')
  const found = contentOf(context, uri) ?? context.fixtures?.contentAt(uri)
  if (found === undefined)
    throw new JsonRpcError(resourceNotFound, `Resource not found: ${uri}`, { uri })
  return { contents: [{ uri, ...found }] }
}

function contentOf(
  { library, rules, choices }: ToolsContext,
  uri: string,
): ResourceContent | undefined {
  const [, kind, name = ''] = /^shelf:\/\/(books|rules)\/([^/?#]+)$/.exec(uri) ?? []
  if (kind === 'rules')
    return Object.hasOwn(library.rules, name)
      ? { mimeType: 'text/plain', text: library.rules[name]! }
      : undefined
  const book = library.books.find(({ id }) => id === name)
  return book === undefined
    ? undefined
    : { mimeType: 'application/json', text: rules.formatJson(book, choices) }
}

/** Returns the text of a resource, for the server's own tools. */
export function textOf(context: ToolsContext, uri: string): string {
  const { contents } = readResource(context, uri) as { contents: { text: string }[] }
  return contents[0]!.text
}
