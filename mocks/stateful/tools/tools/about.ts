import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { User } from '../auth/guard.ts'
import { newFactsResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
import { listMark, headingMark } from '../kit/markdown.ts'
import { readHints, defineTool } from '../kit/tool.ts'

export const readRules = defineTool({
  name: 'read_rules',
  title: 'Read the rules',
  description:
    'Reads the rules of the library on one topic, like the resource shelf://rules/{topic}. Accepts topic and response_format. ' +
    'Returns the text. Not for questions about a single loan.',
  annotations: readHints(false),
  input: z.object({
    topic: z.enum(['loans', 'quiet', 'returns']).describe('The topic of the rules.'),
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { topic },
      server: { choices },
      client,
    } = call
    const uri = `shelf://rules/${topic}`
    const text = await client.read(uri)
    return newFactsResult(
      call,
      { topic, uri, text },
      `${headingMark(0, choices)} Rules on ${topic}\n\n${listMark(0, choices)} ${text}`,
    )
  },
})

export const showStatus = defineTool({
  name: 'show_status',
  title: 'Show the status',
  description:
    'Shows the name of this server, its start time, the number of books and readers, and the authenticated user. Accepts response_format. Returns these facts. Not for the state of a loan.',
  annotations: readHints(false),
  input: z.object({ response_format: fieldTypes.response_format }),
  run(call) {
    const {
      server: { name, startedAt, library, rules, choices },
      user,
    } = call
    const started = new Date(startedAt).toISOString()
    const lines = [
      ['Server', name],
      ['Started', rules.formatTime(started, choices)],
      ['Books', library.books.length],
      ['Readers', library.readers.length],
      ...userLines(user),
    ] as const
    return newFactsResult(
      call,
      {
        server_name: name,
        started_at: started,
        books: library.books.length,
        readers: library.readers.length,
        ...(user === undefined ? {} : { user: userFacts(user) }),
      },
      [
        `${headingMark(0, choices)} Status`,
        '',
        ...lines.map(([heading, value], at) => `${listMark(at, choices)} **${heading}**: ${value}`),
      ].join('\n'),
    )
  },
})

/**
 * The authenticated user as data. In place of the access token, it contains only a digest, from
 * which the issuer can recognise the token.
 */
function userFacts({ login, email, accessToken }: User): Record<string, string> {
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

const userLines = (user: User | undefined): (readonly [string, string])[] =>
  user === undefined
    ? []
    : Object.entries(userFacts(user)).map(
        ([name, value]) => [headings[name] ?? name, value] as const,
      )
