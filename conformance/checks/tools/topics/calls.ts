import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  isObject,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { isJsonText, equalTo, findComparison } from '../support/comparison.ts'
import { breachesOf } from '../support/negatives/index.ts'
import { boundariesOf } from '../support/negatives/boundaries.ts'
import { firstTransport, makePlainCalls, readingCalls } from '../support/plain-calls.ts'
import { commonNames } from '../support/query-field.ts'
import { isSuccess, textsOf } from '../support/results.ts'
import { openSearch } from '../support/search.ts'
import type { Session } from '../support/client-session.ts'
import { hasNestedInput, jsonArgument, type Tool } from '../support/tool.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

const succeeds: Expectation<McpExchange> = {
  name: 'succeeds',
  expected: 'a result with content and without isError, whose text does not begin with "Error:"',
  test: isSuccess,
}

const structured: Expectation<McpExchange> = {
  name: 'has structured content',
  expected: 'an object in structuredContent',
  test: ({ result }) => isObject(result?.['structuredContent']),
}

/**
 * The members of structured content that an output schema forbids. Only if the schema is simple:
 * with other keywords, members may be declared elsewhere.
 */
function forbiddenMembers(content: unknown, schema: unknown): readonly string[] {
  if (!isObject(content) || !isObject(schema) || schema['additionalProperties'] !== false) return []
  if (['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((name) => name in schema))
    return []
  const declared = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.keys(content).filter((name) => !Object.hasOwn(declared, name))
}

/** Expects the result of a tool that declares an output schema to conform to it. */
function expectDeclared(world: ToolsWorld, tool: Tool | undefined, exchange: McpExchange): void {
  const schema = tool?.definition['outputSchema']
  const root = { schema, path: '$' }
  const findBreaches = ({ result }: McpExchange): readonly string[] => {
    const content = result?.['structuredContent']
    return [
      ...breachesOf(content, root, root),
      ...forbiddenMembers(content, schema).map((name) => `a member ${name} that it forbids`),
    ]
  }
  const fits: Expectation<McpExchange> = {
    name: 'conforms to the output schema',
    expected: 'structuredContent that conforms to outputSchema',
    test: (one) => findBreaches(one).length === 0,
    received: (one) =>
      `${findBreaches(one).join(', ')} in ${JSON.stringify(one.result?.['structuredContent']).slice(0, 200)}`,
  }
  if (!structured.test(exchange) || !fits.test(exchange)) world.record(exchange)
  world.expect(exchange, structured)
  world.expect(exchange, fits)
}

/** Whether the sent message is a call of a tool. */
function isCall({ sent: { text } }: McpExchange): boolean {
  if (text === undefined || !text.includes('tools/call')) return false
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) && message['method'] === 'tools/call'
  } catch {
    return false
  }
}

const newFinding = (name: string, expected: string, held: boolean, received: unknown) => ({
  name,
  expected,
  held,
  received: held ? 'as expected' : (JSON.stringify(received)?.slice(0, 200) ?? 'undefined'),
})

export const callsChecks = [
  check('TOOL-CALL-01', {
    title: 'succeeds in the calls that the target file names',
    async run(world) {
      const { onEachTransport, expect, record, observe } = world
      await onEachTransport(async ({ transport }) => {
        const calls = await makePlainCalls(world, transport)
        const named = calls.filter(({ isNamed }) => isNamed)
        for (const { exchange } of named) {
          if (isSuccess(exchange)) continue
          record(exchange)
          // A result without a content array is a violation of TOOL-CALL-02, which reports it.
          if (exchange.result !== undefined && !Array.isArray(exchange.result['content']))
            throw new Blocked('TOOL-CALL-02', exchange.summary)
        }
        for (const { call, exchange } of named)
          expect(exchange, {
            ...succeeds,
            received: ({ summary }) => `from ${call.tool}: ${summary}`,
          })
        for (const { call, exchange, isNamed } of calls)
          if (!isSuccess(exchange))
            observe(
              `calling ${call.tool}${isNamed ? '' : ' without arguments'}: ${exchange.summary}`,
            )
        // If the target file names no calls, one success is enough, because the other tools may
        // have reasons to fail.
        const successful = calls.find(({ exchange }) => isSuccess(exchange))
        if (successful === undefined)
          throw new NotCovered<ToolsNeed>(
            'no tool that the suite may call succeeds without arguments',
            ['tools.search', 'tools.calls'],
          )
        expect(successful.exchange, succeeds)
      })
    },
  }),

  watch('TOOL-CALL-02', {
    title: 'returns the text of results in the field content',
    examine(exchange) {
      const { result } = exchange
      if (result === undefined || !isCall(exchange)) return []
      const { content } = result
      const isArray = Array.isArray(content)
      const parts: unknown[] = isArray ? content : []
      const textParts = parts.filter((part) => isObject(part) && part['type'] === 'text')
      return [
        newFinding('content is an array', 'an array of parts', isArray, content),
        ...(isArray
          ? [
              newFinding(
                'parts have types',
                'objects that have a type',
                parts.every((part) => isObject(part) && typeof part['type'] === 'string'),
                parts,
              ),
            ]
          : []),
        ...(textParts.length > 0
          ? [
              newFinding(
                'text is a string',
                'a string in the text of each text part',
                textParts.every((part) => isObject(part) && typeof part['text'] === 'string'),
                textParts,
              ),
            ]
          : []),
      ]
    },
  }),

  watch('TOOL-CALL-08', {
    title: 'returns structuredContent as an object, and isError as a boolean',
    examine(exchange) {
      const { result } = exchange
      if (result === undefined || !isCall(exchange)) return []
      const { structuredContent, isError } = result
      return [
        ...(structuredContent === undefined
          ? []
          : [
              newFinding(
                'structuredContent is an object',
                'an object in structuredContent',
                isObject(structuredContent),
                structuredContent,
              ),
            ]),
        ...(isError === undefined
          ? []
          : [
              newFinding(
                'isError is a boolean',
                'true or false in isError',
                typeof isError === 'boolean',
                isError,
              ),
            ]),
      ]
    },
  }),

  check('TOOL-CALL-03', {
    title: 'records whether results contain text, JSON or structured content',
    async run(world) {
      const { onEachTransport, observe } = world
      await onEachTransport(async ({ transport }) => {
        const forms = new Map<string, string[]>()
        for (const { call, exchange } of await makePlainCalls(world, transport)) {
          if (isSuccess(exchange))
            forms.set(formOf(exchange), [...(forms.get(formOf(exchange)) ?? []), call.tool])
        }
        if (forms.size === 0) throw new Blocked('TOOL-CALL-01', 'no call succeeds')
        observe(
          `${transport}: ${[...forms].map(([form, tools]) => `${form}: ${tools.join(', ')}`).join('; ')}`,
        )
      })
    },
  }),

  check('TOOL-CALL-04', {
    title: 'returns structured content that is valid against the output schema',
    async run(world) {
      await world.onEachTransport(async (session) => {
        const { transport, tools } = session
        const declaring = tools.filter(({ definition }) => isObject(definition['outputSchema']))
        if (tools.length === 0) throw new Blocked('TOOL-SERVER-01', 'no tools')
        if (declaring.length === 0) throw new NotApplicable('no tool declares an output schema')
        const calls = (await makePlainCalls(world, transport)).filter(({ tool }) =>
          declaring.some(({ name }) => name === tool?.name),
        )
        const working = calls.filter(({ exchange }) => isSuccess(exchange))
        for (const { tool, exchange } of working) expectDeclared(world, tool, exchange)
        // Other arguments can have results of another form, such as an empty list.
        if (transport === (await firstTransport(world)))
          for (const { call, tool } of await readingCalls(world, undefined))
            if (isObject(tool.definition['outputSchema']))
              for (const { arguments: args } of boundariesOf(tool, call.arguments, commonNames)) {
                const exchange = await session.call(call.tool, args)
                if (isSuccess(exchange)) expectDeclared(world, tool, exchange)
              }
        if (calls.length === 0)
          throw new NotCovered<ToolsNeed>(
            'the suite is not allowed to call any tool that declares an output schema',
            ['tools.calls'],
          )
        if (working.length === 0) throw new Blocked('TOOL-CALL-01', calls[0]!.exchange.summary)
      })
    },
  }),

  check('TOOL-CALL-05', {
    title: 'records whether tools nest their arguments',
    async run({ onEachTransport, observe }) {
      await onEachTransport(async ({ transport, tools }) => {
        if (tools.length === 0) throw new Blocked('TOOL-SERVER-01', 'no tools')
        const nested = tools.filter(hasNestedInput)
        observe(
          `${transport}: ${nested.length === 0 ? 'no tool nests its arguments' : `nested in params: ${nested.map(({ name }) => name).join(', ')}`}`,
        )
      })
    },
  }),

  check('TOOL-CALL-07', {
    title: 'returns the same result on every transport',
    async run(world) {
      if (world.transports.length < 2)
        throw new NotApplicable('the target file configures only one transport')
      const results = await world.onEachTransport(async (session) => {
        const { call, id } = comparableCall(world, session)
        return { transport: session.transport, one: await call(), again: await call(), id }
      })
      const [{ one, again, id } = { one: undefined }, ...others] = results
      if (one === undefined || again === undefined)
        throw new NotCovered('no transport returns a result')
      for (const transport of world.transports)
        if (!results.some((result) => result.transport === transport))
          await world.session(transport)
      const comparison = findComparison(one, again, id)
      for (const other of others) world.expect(other.one, equalTo('is the same', comparison, one))
    },
  }),
]

/**
 * Returns a call that should have the same result on every transport: the search or, if the target
 * file names a tool that may write, the call of `tools.get`. Each transport can be a process with
 * its own data, so a tool that writes can change the results of the search on one transport. Throws
 * `NotCovered` if `tools.get` is not set, or has an argument in common with a call in `tools.calls`
 * or `tools.elicit`, because that call may change its result, too.
 */
function comparableCall(world: ToolsWorld, session: Session) {
  const { get, calls = {}, elicit } = world.target
  const named = [...Object.keys(calls), ...(elicit === undefined ? [] : [elicit.tool])]
  const writing = session.tools.filter(
    ({ name, annotations }) => named.includes(name) && annotations['readOnlyHint'] !== true,
  )
  if (writing.length === 0) {
    const { callOrBlock, jsonFormat, id } = openSearch(world, session)
    return { call: () => callOrBlock(jsonFormat), id }
  }
  const values = new Set(Object.values({ ...calls, elicit: elicit?.arguments }).flatMap(stringsOf))
  if (get === undefined || stringsOf(get.arguments).some((value) => values.has(value)))
    throw new NotCovered<ToolsNeed>(
      `${writing.map(({ name }) => name).join(' and ')} may change data, and each transport may have its own data`,
      ['tools.get'],
    )
  const tool = session.tools.find(({ name }) => name === get.tool)
  const call = { tool: get.tool, arguments: { ...get.arguments, ...jsonArgument(tool) } }
  return { call: () => world.callOrBlock(session, call), id: undefined }
}

/** The strings among the arguments of a call. */
const stringsOf = (args: unknown): readonly string[] =>
  isObject(args) ? Object.values(args).filter((value) => typeof value === 'string') : []

function formOf(exchange: McpExchange): string {
  const content = exchange.result?.['structuredContent']
  const parts = textsOf(exchange)
  const text = parts.length === 0 ? 'no text' : parts.some(isJsonText) ? 'JSON text' : 'text'
  if (!isObject(content)) return text
  return Object.keys(content).join() === 'result'
    ? `${text}, and the same in structuredContent.result`
    : `${text}, and structured content`
}
