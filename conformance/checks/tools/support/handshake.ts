import type { Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'

/** A handshake, and every part of the list of tools that followed. */
export interface Handshake {
  connection: McpConnection
  handshake: McpExchange
  lists: readonly McpExchange[]
}

/** How many parts of a list are asked for: a cursor that never ends is told by its own check. */
export const parts = 50

/** Whether anything can be asked after a handshake: its result agrees on a version. What else it lacks is another row's affair. */
export const serves = (handshake: McpExchange): boolean =>
  typeof handshake.result?.['protocolVersion'] === 'string'

/** Whether whoever shook hands was not let in: then nobody has seen what there is behind the door. */
export const isTurnedAway = (
  { transport, stream }: Pick<McpConnection, 'transport' | 'stream'>,
  { httpStatus }: McpExchange,
): boolean =>
  transport !== 'stdio' &&
  [stream?.httpStatus, httpStatus].some((status) => status === 401 || status === 403)

export const answersHandshake: Expectation<McpExchange> = {
  name: 'answers the handshake',
  expected: 'a result for initialize',
  test: ({ result }) => result !== undefined,
}

/** Shakes hands and asks for all tools. */
export async function listTools(
  connection: McpConnection,
  note: (exchange: McpExchange) => void,
): Promise<Handshake> {
  const handshake = await connection.initialize()
  note(handshake)
  const lists: McpExchange[] = []
  if (!serves(handshake)) return { connection, handshake, lists }
  let cursor: unknown
  do {
    const list = await connection.request(
      'tools/list',
      typeof cursor === 'string' ? { cursor } : {},
    )
    note(list)
    lists.push(list)
    cursor = list.result?.['nextCursor']
  } while (typeof cursor === 'string' && lists.length < parts)
  return { connection, handshake, lists }
}
