import { NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange, McpServerRequest } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { unlimited } from './unlimited.ts'
import type { ToolsWorld } from './world.ts'

/** How long a call may take to end after a response to its elicitation, in milliseconds. */
const maxWait = 1000

/** A call that elicits input, and whether it ended before its own client responded. */
export interface UnansweredCall {
  readonly exchange: McpExchange
  readonly isEndedEarly: boolean
}

/**
 * Calls the eliciting tool. Runs `meanwhile` while the elicitation has no response, then waits a
 * moment, and declines. Throws `NotApplicable` if the tool sends no elicitation request.
 */
async function callWithoutAnswer(
  world: ToolsWorld,
  transport: Session['transport'],
  meanwhile: (id: McpServerRequest['id']) => Promise<unknown>,
): Promise<UnansweredCall> {
  const { tool, arguments: args } = world.target.elicit!
  let noticeRequest!: (request: McpServerRequest) => void
  const request = new Promise<McpServerRequest>((resolve) => (noticeRequest = resolve))
  let decline!: () => void
  const declined = new Promise<void>((resolve) => (decline = resolve))
  const session = await world.openSession(transport, {
    capabilities: { elicitation: {} },
    async onRequest(received) {
      if (received.method !== 'elicitation/create') return undefined
      noticeRequest(received)
      await declined
      return { result: { action: 'decline' } }
    },
  })
  try {
    if (transport === 'http') await session.connection.listen()
    let isOver = false
    const call = world.inBackground(session.call(tool, args).finally(() => (isOver = true)))
    const first = await Promise.race([request, call])
    if (!('method' in first)) throw new NotApplicable('the tool sends no elicitation request')
    await meanwhile(first.id)
    // When the ping has its response, the server has processed the messages before it.
    await unlimited(world, session).request('ping')
    await world.waitAtMost(maxWait, call)
    const isEndedEarly = isOver
    decline()
    return { exchange: await call, isEndedEarly }
  } finally {
    decline()
  }
}

/**
 * Responds to the elicitation of one client with the content of the target file, in the session of
 * another client. Throws `NotCovered` if the call also ends without any response.
 */
export async function answerFromOtherClient(
  world: ToolsWorld,
  { transport }: Session,
): Promise<UnansweredCall> {
  const { content } = world.target.elicit!
  const other = await world.openSession(transport, { capabilities: { elicitation: {} } })
  if (transport === 'http' && other.connection.sessionId === undefined)
    throw new NotApplicable('the server has no sessions')
  const found = await callWithoutAnswer(world, transport, (id) =>
    unlimited(world, other).send(
      { jsonrpc: '2.0', id, result: { action: 'accept', content } },
      { awaits: [], operation: 'answer to the elicitation of another client' },
    ),
  )
  if (
    found.isEndedEarly &&
    (await callWithoutAnswer(world, transport, async () => undefined)).isEndedEarly
  )
    throw new NotCovered('the call also ends without a response to its elicitation')
  return found
}
