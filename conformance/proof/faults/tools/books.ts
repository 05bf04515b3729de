import type {
  ElicitationResponse,
  ToolCall,
  ToolsMiddleware,
} from '../../../../mocks/stateful/tools/call.ts'

/** Adds a copy of a book: of the one with this identifier, or of the first one. */
export function addCopy({ server: { library } }: ToolCall, id?: unknown): void {
  const book = library.books.find((one) => one.id === id) ?? library.books[0]
  if (book !== undefined) book.copies += 1
}

/** Replaces the response of the user to the elicitation of a call. */
export function onElicited(
  call: ToolCall,
  respond: (response: ElicitationResponse) => ElicitationResponse | Promise<ElicitationResponse>,
): void {
  const elicit = call.client.elicit.bind(call.client)
  call.client.elicit = async (...args) => {
    const response = await elicit(...args)
    return response === undefined ? undefined : respond(response)
  }
}

/** Adds a copy of a book in each call in which the user accepts an elicitation with a topic. */
export const addCopyIfAccepted: ToolsMiddleware = (call, next) => {
  onElicited(call, (response) => {
    if (response.action === 'accept' && typeof response.content?.['topic'] === 'string')
      addCopy(call)
    return response
  })
  return next()
}
