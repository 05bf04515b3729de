import { z } from 'zod'
import type { ToolCall } from '../call.ts'
import { factsAnswer } from '../kit/answers.ts'
import { told, checked } from '../kit/fields.ts'
import { bullet, header } from '../kit/markdown.ts'
import { reads, tool } from '../kit/tool.ts'

const question = {
  type: 'object',
  properties: {
    topic: {
      type: 'string',
      title: 'Topic',
      description: 'What the book is to be about, for instance sea.',
      minLength: 2,
      maxLength: 60,
    },
  },
  required: ['topic'],
}

export const recommendBook = tool({
  name: 'recommend_book',
  title: 'Recommend a book',
  description:
    'Asks the user for a topic, and recommends a book about it. Takes count and response_format. ' +
    'Returns the books, or says why there are none. Not for searching with words that are known: use shelf_search_books.',
  annotations: reads(false),
  properties: {
    count: {
      type: 'integer',
      minimum: 1,
      maximum: 5,
      default: 1,
      description: 'How many books are recommended.',
    },
    response_format: told.response_format,
  },
  required: [],
  input: z.object({
    count: z.int().min(1).max(5).default(1),
    response_format: checked.response_format,
  }),
  async run(call) {
    const asked = await call.talk.elicit('Which topic should the book be about?', question)
    if (asked === undefined)
      return said(
        call,
        'not asked',
        'The user could not be asked for a topic, so here is a book for everybody.',
        books(call, ''),
      )
    const { action, content } = asked
    if (action === 'decline')
      return said(
        call,
        'declined',
        'The user declined to name a topic, so no book is recommended.',
        [],
      )
    if (action !== 'accept')
      return said(
        call,
        'cancelled',
        'The user cancelled the question, so no book is recommended.',
        [],
      )
    const topic = content?.['topic']
    if (typeof topic !== 'string' || topic.length < 2 || topic.length > 60)
      return said(call, 'unclear', 'The answer named no topic, so no book is recommended.', [])
    const found = books(call, topic)
    const text =
      found.length === 0 ? `There is no book about '${topic}'.` : `For the topic '${topic}':`
    return said(call, 'accepted', text, found)
  },
})

type Asking = ToolCall<{ count: number }>

function books({ args: { count }, server: { shelf } }: Asking, topic: string) {
  const wanted = topic.toLowerCase()
  return shelf.books
    .filter(({ title, tags }) => tags.includes(wanted) || title.toLowerCase().includes(wanted))
    .slice(0, count)
}

function said(call: Asking, outcome: string, text: string, found: ReturnType<typeof books>) {
  const {
    server: { rules, choices },
  } = call
  const lines = found.map(
    ({ id, title, author }, at) => `${bullet(at, choices)} ${rules.name(title, id)} by ${author}`,
  )
  const markdown = [
    `${header(0, choices)} Recommendation`,
    text,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n')
  return factsAnswer(call, { outcome, message: text, books: found }, markdown)
}
