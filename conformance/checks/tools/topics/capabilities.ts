import { type Expectation, labelled, NotApplicable } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'

/** For each capability, a request that a server with this capability knows. */
const methods: Readonly<Record<string, readonly [method: string, params: object]>> = {
  prompts: ['prompts/list', {}],
  resources: ['resources/list', {}],
  completions: [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'touchstone' },
      argument: { name: 'touchstone', value: 't' },
    },
  ],
}

const isKnown: Expectation<McpExchange> = {
  name: 'knows the method',
  expected: 'a result, or an error other than -32601',
  test: ({ error }) => error?.code !== -32_601,
}

export const capabilitiesChecks = [
  check('TOOL-MCP-21', {
    title: 'knows the methods of the capabilities that it declares',
    async run({ onEachTransport, expect }) {
      const tried = await onEachTransport(async (session) => {
        const declared = Object.entries(methods).filter(([name]) => session.declares(name))
        for (const [name, [method, params]] of declared)
          expect(await session.request(method, params), labelled(name, isKnown))
        return declared.length
      })
      if (tried.every((count) => count === 0))
        throw new NotApplicable('the server declares none of prompts, resources and completions')
    },
  }),
]
