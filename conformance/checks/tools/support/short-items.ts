import { Blocked, isObject, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { formatArgument, requireJsonIfDeclared } from './declared-formats.ts'
import { jsonOf } from './results.ts'
import type { ToolsNeed } from '../target.ts'
import { charactersOf, maxCharacters } from './truncated-pages.ts'
import { observeRequests } from './upstream-request.ts'
import type { ToolsWorld } from './world.ts'

/** The maximum size of the data of a short item at the upstream, in characters. */
const maxData = maxCharacters / 5

/**
 * Makes the `get` call of the target file in JSON. Throws `NotCovered` unless its data at the
 * upstream are so short that the result need not be truncated. Also throws it if these data contain
 * a field `truncated`, because that field has another meaning.
 */
export async function requestShortItem(world: ToolsWorld, session: Session): Promise<McpExchange> {
  const { target, timeout } = world
  const { upstream } = await world.harness()
  if (upstream?.forward === undefined)
    throw new NotCovered<ToolsNeed>('the suite cannot read the data of the upstream', [
      'tools.upstream.forward',
    ])
  const get = target.get!
  const { result: exchange, requests } = await world.withExclusiveUpstream(session, (alone) =>
    observeRequests(upstream, () =>
      world.callOrBlock(alone, get, formatArgument(session, get, 'json')),
    ),
  )
  requireJsonIfDeclared(session, get, exchange)
  if (jsonOf(exchange) === undefined) throw new Blocked('TOOL-JSON-01', exchange.summary)
  const data = await Promise.all(requests.map((request) => upstream.readReal(request, timeout)))
  const isShort =
    data.length > 0 &&
    !data.includes(undefined) &&
    JSON.stringify(data).length <= maxData &&
    charactersOf(exchange) <= maxCharacters / 2
  if (!isShort || hasMember(data, 'truncated'))
    throw new NotCovered<ToolsNeed>(
      'the data of the upstream are long, cannot be read, or have a field truncated',
      ['tools.get'],
    )
  return exchange
}

/** Whether an object in a JSON value has a member with this name. */
function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasMember(one, name))
  return (
    isObject(value) && (name in value || Object.values(value).some((one) => hasMember(one, name)))
  )
}
