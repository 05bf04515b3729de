import { z } from 'zod'
import type { ToolCall } from '../call.ts'
import { newFactsResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
import { listMark, headingMark } from '../kit/markdown.ts'
import { readHints, defineTool } from '../kit/tool.ts'

const question = {
  type: 'object',
  properties: {
    topic: {
      type: 'string',
      title: 'Topic',
      description: 'The topic of the book, for example sea.',
      minLength: 2,
      maxLength: 60,
    },
  },
  required: ['topic'],
}

export const recommendBook = defineTool({
  name: 'recommend_book',
  title: 'Recommend a book',
  description:
    'Asks the user for a topic, and recommends a book about it. Accepts count and response_format. ' +
    'Returns the books, or the reason why there are none. Not for searching with known words: use shelf_search_books.',
  annotations: readHints(false),
  input: z.object({
    count: z.int().min(1).max(5).default(1).describe('The number of books to recommend.'),
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const response = await call.client.elicit('Which topic should the book be about?', question)
    if (response === undefined)
      return newRecommendation(
        call,
        'not asked',
        'The user could not be asked for a topic, so this recommendation has no topic.',
        findBooks(call, ''),
      )
    const { action, content } = response
    if (action === 'decline')
      return newRecommendation(
        call,
        'declined',
        'The user declined to name a topic, so no book is recommended.',
        [],
      )
    if (action !== 'accept')
      return newRecommendation(
        call,
        'cancelled',
        'The user cancelled the question, so no book is recommended.',
        [],
      )
    const topic = content?.['topic']
    if (typeof topic !== 'string' || topic.length < 2 || topic.length > 60)
      return newRecommendation(
        call,
        'unclear',
        'The response contained no topic, so no book is recommended.',
        [],
      )
    const found = findBooks(call, topic)
    const text =
      found.length === 0 ? `There is no book about '${topic}'.` : `For the topic '${topic}':`
    return newRecommendation(call, 'accepted', text, found)
  },
})

type RecommendCall = ToolCall<{ count: number }>

function findBooks({ args: { count }, server: { library } }: RecommendCall, topic: string) {
  const lowerCaseTopic = topic.toLowerCase()
  return library.books
    .filter(
      ({ title, tags }) =>
        tags.includes(lowerCaseTopic) || title.toLowerCase().includes(lowerCaseTopic),
    )
    .slice(0, count)
}

function newRecommendation(
  call: RecommendCall,
  outcome: string,
  text: string,
  found: ReturnType<typeof findBooks>,
) {
  const {
    server: { rules, choices },
  } = call
  const lines = found.map(
    ({ id, title, author }, at) =>
      `${listMark(at, choices)} ${rules.formatName(title, id)} by ${author}`,
  )
  const markdown = [
    `${headingMark(0, choices)} Recommendation`,
    text,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n')
  return newFactsResult(call, { outcome, message: text, books: found }, markdown)
}
