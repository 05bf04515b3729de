import { isObject } from '../../http/body.ts'
import { invalidParams, JsonRpcError, type ContentBlock } from '../protocol.ts'
import { redPixel } from './media.ts'

interface PromptSource {
  name: string
  title: string
  description: string
  /** The arguments of the prompt, with their descriptions. All arguments are required. */
  arguments: Readonly<Record<string, string>>
  /** The contents of the prompt's messages. All messages have the role `user`. */
  contents(args: Readonly<Record<string, string>>): readonly ContentBlock[]
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value })

const prompts: readonly PromptSource[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple prompt',
    description: 'A prompt without arguments.',
    arguments: {},
    contents: () => [text('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'Prompt with arguments',
    description: 'A prompt that contains its arguments.',
    arguments: { arg1: 'First test argument', arg2: 'Second test argument' },
    contents: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: 'Prompt with a resource',
    description: 'A prompt that contains a resource.',
    arguments: { resourceUri: 'URI of the resource to embed' },
    contents: ({ resourceUri }) => [
      {
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    title: 'Prompt with an image',
    description: 'A prompt that contains an image.',
    arguments: {},
    contents: () => [
      { type: 'image', data: redPixel, mimeType: 'image/png' },
      text('Please analyze the image above.'),
    ],
  },
]

/** The result of `prompts/list`. */
export const listPrompts = (): object => ({
  prompts: prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: Object.entries(args).map(([argument, meaning]) => ({
      name: argument,
      description: meaning,
      required: true,
    })),
  })),
})

/** The result of `prompts/get`. Throws if the prompt is unknown, or an argument is missing. */
export function getPrompt({ name, arguments: given = {} }: Record<string, unknown>): object {
  const { description, arguments: args, contents } = requirePrompt(name)
  const values = Object.keys(args).map((argument): [string, string] => {
    const value = isObject(given) ? given[argument] : undefined
    if (typeof value !== 'string')
      throw new JsonRpcError(invalidParams, `The argument ${argument} must be a string`)
    return [argument, value]
  })
  return {
    description,
    messages: contents(Object.fromEntries(values)).map((content) => ({ role: 'user', content })),
  }
}

/** Whether a prompt has this argument. Throws if the prompt is unknown. */
export const hasPromptArgument = (name: unknown, argument: string): boolean =>
  Object.hasOwn(requirePrompt(name).arguments, argument)

function requirePrompt(name: unknown): PromptSource {
  const found = prompts.find((prompt) => prompt.name === name)
  if (found === undefined) throw new JsonRpcError(invalidParams, `Unknown prompt: ${String(name)}`)
  return found
}
