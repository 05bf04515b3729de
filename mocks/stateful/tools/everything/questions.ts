import { z } from 'zod'
import { isObject } from '../../http/body.ts'
import type { ToolCall } from '../call.ts'
import type { ToolResult } from '../protocol.ts'
import { defineFixture, newErrorResult, newTextResult } from './fixture.ts'

export const sampling = defineFixture({
  name: 'test_sampling',
  title: 'Sampling',
  description: "Asks the client's language model, and returns its response.",
  input: z.object({ prompt: z.string().min(1).describe('The prompt for the language model.') }),
  async run({ args: { prompt }, client }) {
    const response = await client.sample({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    })
    if (response === undefined)
      return newErrorResult('The client does not support sampling, or refused.')
    const { content } = response
    const text = isObject(content) ? content['text'] : undefined
    return newTextResult(
      `LLM response: ${typeof text === 'string' ? text : JSON.stringify(content)}`,
    )
  },
})

export const elicitation = defineFixture({
  name: 'test_elicitation',
  title: 'Elicitation',
  description: 'Asks the user for a name and an email address, and returns the response.',
  input: z.object({ message: z.string().min(1).describe('The message for the user.') }),
  run: (call) =>
    elicit(call, 'User response', call.args.message, {
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    }),
})

export const elicitationDefaults = defineFixture({
  name: 'test_elicitation_sep1034_defaults',
  title: 'Elicitation with defaults',
  description: 'Asks the user for values that have defaults, and returns the response.',
  input: z.object({}),
  run: (call) =>
    elicit(call, 'Elicitation completed', 'Please review the values.', {
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    }),
})

export const elicitationEnums = defineFixture({
  name: 'test_elicitation_sep1330_enums',
  title: 'Elicitation with enumerations',
  description: 'Asks the user to choose, with every form of enumeration; returns the response.',
  input: z.object({}),
  run: (call) =>
    elicit(call, 'Elicitation completed', 'Please choose.', {
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: {
          type: 'array',
          items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      },
    }),
})

/** Three titled values of an enumeration. */
const titled = (noun: string): object[] => [
  { const: 'value1', title: `First ${noun}` },
  { const: 'value2', title: `Second ${noun}` },
  { const: 'value3', title: `Third ${noun}` },
]

/** Asks the user, and returns the response as text after a heading. */
async function elicit(
  { client }: ToolCall<object>,
  heading: string,
  message: string,
  schema: Record<string, unknown>,
): Promise<ToolResult> {
  const response = await client.elicit(message, { type: 'object', ...schema })
  if (response === undefined) return newErrorResult('The user could not be asked.')
  const { action, content = {} } = response
  return newTextResult(`${heading}: action=${action}, content=${JSON.stringify(content)}`)
}
