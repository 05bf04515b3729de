import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { completeChoices } from '../choices.ts'
import { connectClient, startServer } from '../tools.testing.ts'

const anything = z.looseObject({})

const connect = async (
  transport: 'http' | 'sse' | 'stdio' = 'http',
  ...more: [Parameters<typeof connectClient>[2]?, Parameters<typeof connectClient>[3]?]
): Promise<Client> => {
  const server = await startServer({ everything: true, choices: completeChoices })
  return (await connectClient(server, transport, ...more)).client
}

describe('the fixtures of --everything', () => {
  test.each(['http', 'sse', 'stdio'] as const)('are offered over %s', async (transport) => {
    const client = await connect(transport)
    expect(client.getServerCapabilities()).toEqual({
      tools: {},
      resources: { subscribe: true },
      logging: {},
      prompts: {},
      completions: {},
    })
    const { tools } = await client.listTools()
    expect(tools.filter(({ name }) => name.startsWith('shelf_'))).toHaveLength(10)
    expect(tools.filter(({ name }) => !name.startsWith('shelf_'))).toHaveLength(13)
    const { prompts } = await client.listPrompts()
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect([prompts.length, resources.length, resourceTemplates.length]).toEqual([4, 6, 3])
    expect(await client.callTool({ name: 'test_simple_text', arguments: {} })).toEqual({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    })
    // The client validates the structured content of the other tools.
    await client.callTool({ name: 'shelf_show_status', arguments: {} })
  })

  test('are missing by default', async () => {
    const { client } = await connectClient(await startServer())
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, logging: {} })
    for (const request of [
      { method: 'prompts/list' },
      { method: 'completion/complete', params: {} },
      { method: 'resources/subscribe', params: { uri: 'shelf://rules/loans' } },
    ])
      await expect(client.request(request, anything)).rejects.toMatchObject({ code: -32601 })
    await expect(client.readResource({ uri: 'test://static-text' })).rejects.toMatchObject({
      code: -32002,
    })
  })

  test('include prompts, which require their arguments', async () => {
    const client = await connect()
    const { messages } = await client.getPrompt({
      name: 'test_prompt_with_arguments',
      arguments: { arg1: 'a', arg2: 'b' },
    })
    expect(messages).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: "Prompt with arguments: arg1='a', arg2='b'" },
      },
    ])
    for (const prompt of [
      { name: 'test_prompt_with_arguments', arguments: { arg1: 'a' } },
      { name: 'unknown' },
    ])
      await expect(client.getPrompt(prompt)).rejects.toMatchObject({ code: -32602 })
  })

  test('complete the arguments of prompts and of templates', async () => {
    const client = await connect()
    const complete = async (ref: object, name: string, value: string) =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values
    const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' }
    const template = { type: 'ref/resource', uri: 'test://template/{id}/data' }
    expect(await complete(prompt, 'arg1', 'par')).toEqual(['paris', 'park', 'party'])
    expect(await complete(template, 'id', '12')).toEqual(['123', '124'])
    for (const [ref, name] of [
      [prompt, 'arg3'],
      [template, 'name'],
      [{ type: 'ref/prompt', name: 'unknown' }, 'arg1'],
      [{ type: 'ref/resource', uri: 'test://unknown' }, 'id'],
    ] as const)
      await expect(complete(ref, name, '')).rejects.toMatchObject({ code: -32602 })
    await expect(
      client.request({ method: 'completion/complete', params: {} }, anything),
    ).rejects.toMatchObject({ code: -32602 })
  })

  test('accept subscriptions to resources that exist', async () => {
    const client = await connect()
    for (const uri of [
      'test://watched-resource',
      'test://template/7/data',
      'shelf://books/b-001',
    ]) {
      await client.subscribeResource({ uri })
      await client.unsubscribeResource({ uri })
    }
    await expect(client.subscribeResource({ uri: 'test://unknown' })).rejects.toMatchObject({
      code: -32002,
    })
  })

  test('report that a client can neither sample nor ask its user', async () => {
    const client = await connect()
    for (const [name, args] of [
      ['test_sampling', { prompt: 'Hello' }],
      ['test_elicitation', { message: 'Hello' }],
      ['test_elicitation_sep1034_defaults', {}],
    ] as const)
      expect(await client.callTool({ name, arguments: args })).toMatchObject({ isError: true })
  })

  test.each(['http', 'sse', 'stdio'] as const)(
    'use sampling and ask the user over %s',
    async (transport) => {
      const answer = { action: 'accept' as const, content: { username: 'ada' } }
      const client = await connect(transport, answer, { sampling: {} })
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
        role: 'assistant',
        model: 'none',
        content: { type: 'text', text: JSON.stringify(params.messages[0]?.content) },
      }))
      const text = async (name: string, args: object) => {
        const { content } = await client.callTool({ name, arguments: { ...args } })
        return (content as { text: string }[])[0]?.text
      }
      expect(await text('test_sampling', { prompt: 'Hello' })).toBe(
        'LLM response: {"type":"text","text":"Hello"}',
      )
      expect(await text('test_elicitation', { message: 'Who?' })).toBe(
        'User response: action=accept, content={"username":"ada"}',
      )
    },
  )
})
