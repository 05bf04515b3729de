import { type Expectation, NotApplicable, of, on } from '../../../engine/index.ts'
import type { McpExchange, McpReply, McpServerRequest } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { isObject } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import type { ToolsWorld } from '../support/world.ts'

const actions = ['accept', 'decline', 'cancel'] as const
type Action = (typeof actions)[number]

/** A call that asks its user, and what it asked. */
interface Asked {
  readonly exchange: McpExchange
  readonly questions: readonly McpServerRequest[]
}

/** Calls the tool that asks, for each transport, and answers in one way; without a way, by a client that cannot be asked. Once in a run for each way. */
const askedOf = (world: ToolsWorld, action: Action | undefined): Promise<readonly Asked[]> =>
  world.shared(`asks its user: ${action ?? 'nobody'}`, (common) =>
    common.each((session) => ask(common, session, action)),
  )

async function ask(
  world: ToolsWorld,
  { transport }: Session,
  action: Action | undefined,
): Promise<Asked> {
  const { tool, arguments: given, content } = world.access.elicit!
  const questions: McpServerRequest[] = []
  const onRequest = (request: McpServerRequest): McpReply | undefined => {
    if (request.method !== 'elicitation/create') return undefined
    questions.push(request)
    return action === undefined
      ? undefined
      : { result: action === 'accept' ? { action, content } : { action } }
  }
  const session = await world.open(transport, {
    onRequest,
    ...(action === undefined ? {} : { capabilities: { elicitation: {} } }),
  })
  // A question may come on the stream of the call, or on the session's own.
  if (transport === 'http') await session.connection.listen()
  const exchange = await session.call(tool, given)
  await session.connection.close()
  return { exchange, questions }
}

/** The calls whose user was asked. The protocol lets a server be without questions. */
async function asking(world: ToolsWorld, action: Action): Promise<readonly Asked[]> {
  const asked = (await askedOf(world, action)).filter(({ questions }) => questions.length > 0)
  if (asked.length === 0) throw new NotApplicable('the tool asks its user nothing')
  for (const { exchange } of asked) world.note(exchange)
  return asked
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const questionsOf = (asked: readonly Asked[]) => asked.flatMap(({ questions }) => questions)

const primitives = ['string', 'number', 'integer', 'boolean']

/** Whether a field holds no other fields: a text, a number, a truth, or some of a list of values. */
export function isFlat(field: unknown): boolean {
  if (!isObject(field)) return false
  const { type, items } = field
  if (type === 'array')
    return (
      isObject(items) &&
      (Array.isArray(items['enum']) ||
        Array.isArray(items['anyOf']) ||
        Array.isArray(items['oneOf'])) &&
      items['properties'] === undefined
    )
  return typeof type === 'string'
    ? primitives.includes(type)
    : Array.isArray(field['enum']) || Array.isArray(field['oneOf'])
}

/** Whether a schema is one of an object of flat fields. */
export function isFlatSchema(schema: unknown): boolean {
  return (
    isObject(schema) &&
    schema['type'] === 'object' &&
    isObject(schema['properties']) &&
    Object.values(schema['properties']).every(isFlat)
  )
}

const hasMessage: Expectation<readonly Asked[]> = {
  name: 'comes with a message',
  expected: 'message, a text',
  test: (asked) => questionsOf(asked).every(({ params }) => isText(params['message'])),
  received: (asked) =>
    questionsOf(asked)
      .map(({ params }) => `message: ${JSON.stringify(params['message']) ?? 'missing'}`)
      .join('; '),
}
const hasSchema: Expectation<readonly Asked[]> = {
  name: 'comes with a schema of flat fields',
  expected: 'requestedSchema, an object of texts, numbers, truths and lists of values',
  test: (asked) =>
    questionsOf(asked).every(({ params }) => isFlatSchema(params['requestedSchema'])),
  received: (asked) =>
    questionsOf(asked)
      .map(
        ({ params }) =>
          `requestedSchema: ${JSON.stringify(params['requestedSchema']) ?? 'missing'}`,
      )
      .join('; '),
}
const hasResult: Expectation<readonly Asked[]> = {
  name: 'ends with a result',
  expected: 'a result',
  test: (asked) => asked.every(({ exchange }) => exchange.result !== undefined),
  received: (asked) => asked.map(({ exchange }) => exchange.summary).join('; '),
}
const asksNot: Expectation<readonly Asked[]> = {
  name: 'asks nobody who cannot be asked',
  expected: 'no elicitation/create',
  test: (asked) => questionsOf(asked).length === 0,
  received: (asked) => `${questionsOf(asked).length} questions`,
}

export const eliciting = [
  check('TOOL-ELICIT-01', {
    title: 'asks with a message and a schema of flat fields',
    async play(world) {
      world.expectOf(await asking(world, 'accept'), hasMessage, hasSchema)
    },
  }),

  check('TOOL-ELICIT-02', {
    title: 'ends a call whatever its user answers',
    async play(world) {
      const asked = await Promise.all(actions.map((action) => asking(world, action)))
      world.expectOf(
        asked,
        ...actions.map((action, index) => on(action, of(asked[index]!, hasResult))),
      )
    },
  }),

  check('TOOL-ELICIT-03', {
    title: 'asks only clients that can be asked',
    async play(world) {
      // That it asks others is the contrast: a tool that asks nobody proves nothing.
      await asking(world, 'accept')
      const asked = await askedOf(world, undefined)
      for (const { exchange } of asked) world.note(exchange)
      world.expectOf(asked, asksNot)
    },
  }),
]
