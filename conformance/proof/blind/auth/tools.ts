import type { JsonObject } from './json.ts'
import type { IsOn } from './switches.ts'
import type { ToolCall, User } from './types.ts'

/** What a tool knows about the request that called it. */
export interface ToolContext {
  readonly on: IsOn
  currentUser(): Promise<User>
  /** Extra properties of the session, shown by a switch only. */
  readonly sessionProperties: JsonObject
}

export interface ToolResult {
  readonly text: string
  readonly structured?: JsonObject
}

interface Field {
  readonly type: 'string' | 'number'
  readonly description: string
  readonly enum?: readonly string[]
  readonly default?: string
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly fields: Readonly<Record<string, Field>>
  readonly required: readonly string[]
  run(input: JsonObject, context: ToolContext): ToolResult | Promise<ToolResult>
}

/** A failure of the upstream provider while a tool runs. */
export class UpstreamStatus extends Error {
  readonly status: number

  constructor(status: number) {
    super(`upstream status ${status}`)
    this.name = 'UpstreamStatus'
    this.status = status
  }
}

const profileTool: Tool = {
  name: 'desk_get_profile',
  title: 'Get profile',
  description:
    'Returns the login and email of the signed-in user as text. Takes response_format. ' +
    'Not for looking up other users.',
  fields: {
    response_format: {
      type: 'string',
      description: 'The format of the answer.',
      enum: ['markdown', 'json'],
      default: 'markdown',
    },
  },
  required: [],
  async run(input, context) {
    const user = await context.currentUser()
    const profile: JsonObject = { login: user.login, email: user.email }
    if (context.on('email-dropped')) profile['email'] = ''
    if (context.on('login-lower-cased')) profile['login'] = user.login.toLowerCase()
    if (context.on('whoami-more-properties')) Object.assign(profile, context.sessionProperties)
    if (context.on('upstream-token-in-whoami')) profile['accessToken'] = user.accessToken ?? null
    const text =
      input['response_format'] === 'json'
        ? JSON.stringify(profile)
        : [
            '# Profile',
            '',
            ...Object.entries(profile).map(([k, v]) => `- ${k}: ${String(v)}`),
          ].join('\n')
    return context.on('structured-whoami') ? { text, structured: profile } : { text }
  },
}

const echoTool: Tool = {
  name: 'desk_echo_text',
  title: 'Echo text',
  description: 'Returns the given text unchanged. Takes text. Not for storing notes.',
  fields: {
    text: { type: 'string', description: 'The text to return.', minLength: 1, maxLength: 200 },
  },
  required: ['text'],
  run: (input) => ({ text: String(input['text']) }),
}

const addTool: Tool = {
  name: 'desk_add_numbers',
  title: 'Add numbers',
  description: 'Returns the sum of two numbers as text. Takes left and right.',
  fields: {
    left: { type: 'number', description: 'The first number.' },
    right: { type: 'number', description: 'The second number.' },
  },
  required: ['left', 'right'],
  run: (input) => ({ text: String(Number(input['left']) + Number(input['right'])) }),
}

export const tools: readonly Tool[] = [profileTool, echoTool, addTool]

export const whoami: ToolCall = {
  tool: profileTool.name,
  arguments: { response_format: 'json' },
}

export function describeTool(tool: Tool): JsonObject {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: tool.fields,
      required: tool.required,
      additionalProperties: false,
    },
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

/** The first fault of the input against the input model, or undefined. */
export function inputFault(tool: Tool, input: JsonObject): string | undefined {
  for (const name of tool.required) {
    if (input[name] === undefined) return `${name} is required`
  }
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(tool.fields, name) ? tool.fields[name] : undefined
    if (field === undefined) return `${name} is not a field of ${tool.name}`
    if (typeof value !== field.type) return `${name} must be a ${field.type}`
    if (field.enum !== undefined && !field.enum.includes(String(value))) {
      return `${name} must be one of ${field.enum.join(', ')}`
    }
    const length = typeof value === 'string' ? value.length : 0
    if (field.minLength !== undefined && length < field.minLength) return `${name} is too short`
    if (field.maxLength !== undefined && length > field.maxLength) return `${name} is too long`
  }
  return undefined
}

/** The text of a failed tool run. */
export function failureText(error: unknown): string {
  if (error instanceof UpstreamStatus) {
    switch (error.status) {
      case 401:
        return 'Error: Invalid API authentication.'
      case 403:
        return 'Error: Permission denied.'
      case 404:
        return 'Error: Resource not found. Check the identifier.'
      case 429:
        return 'Error: Rate limit exceeded. Wait before retrying.'
      default:
        return `Error: The request failed with status ${error.status}.`
    }
  }
  if (error instanceof Error && error.message === 'timeout') {
    return 'Error: The request timed out. Try again.'
  }
  return `Error: Unexpected error ${error instanceof Error ? error.name : typeof error}.`
}
