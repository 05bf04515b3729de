import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { User } from '../auth/guard.ts'
import { factsAnswer } from '../kit/answers.ts'
import { checked, told } from '../kit/fields.ts'
import { bullet, header } from '../kit/markdown.ts'
import { reads, tool } from '../kit/tool.ts'

export const readRules = tool({
  name: 'read_rules',
  title: 'Read the rules',
  description:
    'Tells the rules of the library on one topic, as the resource shelf://rules/{topic} has them. Takes topic and response_format. ' +
    'Returns the text. Not for questions about a single loan.',
  annotations: reads(false),
  properties: {
    topic: {
      type: 'string',
      enum: ['loans', 'quiet', 'returns'],
      description: 'What the rules are about.',
    },
    response_format: told.response_format,
  },
  required: ['topic'],
  input: z.object({
    topic: z.enum(['loans', 'quiet', 'returns']),
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      args: { topic },
      server: { choices },
      talk,
    } = call
    const uri = `shelf://rules/${topic}`
    const text = await talk.read(uri)
    return factsAnswer(
      call,
      { topic, uri, text },
      `${header(0, choices)} Rules on ${topic}\n\n${bullet(0, choices)} ${text}`,
    )
  },
})

export const showStatus = tool({
  name: 'show_status',
  title: 'Show the status',
  description:
    'Tells the name of this server, when it started, how much it holds, and who asks where that is known. Takes response_format. Returns these facts. Not for the state of a loan.',
  annotations: reads(false),
  properties: { response_format: told.response_format },
  required: [],
  input: z.object({ response_format: checked.response_format }),
  run(call) {
    const {
      server: { name, startedAt, shelf, rules, choices },
      user,
    } = call
    const started = new Date(startedAt).toISOString()
    const lines = [
      ['Server', name],
      ['Started', rules.time(started, choices)],
      ['Books', shelf.books.length],
      ['Readers', shelf.readers.length],
      ...asker(user),
    ] as const
    return factsAnswer(
      call,
      {
        server_name: name,
        started_at: started,
        books: shelf.books.length,
        readers: shelf.readers.length,
        ...(user === undefined ? {} : { user: described(user) }),
      },
      [
        `${header(0, choices)} Status`,
        '',
        ...lines.map(([heading, value], at) => `${bullet(at, choices)} **${heading}**: ${value}`),
      ].join('\n'),
    )
  },
})

/** Who asks, as data. Of a token only its digest is told, by which its giver knows it again. */
function described({ login, email, accessToken }: User): Record<string, string> {
  return {
    login,
    ...(email === undefined ? {} : { email }),
    ...(accessToken === undefined
      ? {}
      : { access_token_sha256: createHash('sha256').update(accessToken).digest('hex') }),
  }
}

const headings: Readonly<Record<string, string>> = {
  login: 'User',
  email: 'Email',
  access_token_sha256: 'Access token (SHA-256)',
}

const asker = (user: User | undefined): (readonly [string, string])[] =>
  user === undefined
    ? []
    : Object.entries(described(user)).map(
        ([name, value]) => [headings[name] ?? name, value] as const,
      )
