// The three tools. Each user has notes of their own.
import { fetchUser } from './upstream.mjs'

const CHARACTER_LIMIT = 25000
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

const text = { type: 'string' }
const hints = (title, readOnly) => ({
  title,
  readOnlyHint: readOnly,
  destructiveHint: false,
  idempotentHint: readOnly,
  openWorldHint: false,
})

export const TOOLS = [
  {
    name: 'notes_get_profile',
    description:
      'Returns login and email of the signed-in user as JSON. Takes no arguments. Not for finding other users.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: hints('Show the signed-in user', true),
  },
  {
    name: 'notes_list_notes',
    description:
      'Lists the notes of the signed-in user, page by page (limit, offset), as markdown or JSON. Not for adding notes.',
    inputSchema: {
      type: 'object',
      properties: {
        response_format: {
          ...text,
          enum: ['markdown', 'json'],
          default: 'markdown',
          description: 'Format of the answer',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Most notes in one answer',
        },
        offset: { type: 'integer', minimum: 0, default: 0, description: 'Notes to pass over' },
      },
      additionalProperties: false,
    },
    annotations: hints('List notes', true),
    scope: 'notes:read',
  },
  {
    name: 'notes_add_note',
    description:
      'Adds a note with the given text (1 to 5000 characters) and returns it as JSON. Not for changing a note.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { ...text, minLength: 1, maxLength: 5000, description: 'Text of the note' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: hints('Add a note', false),
    scope: 'notes:write',
  },
]

/** Just the parts of JSON Schema that the models above use. */
function inputProblem(schema, input) {
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    return 'the input must be an object'
  for (const name of schema.required ?? []) if (!(name in input)) return `${name} is missing`
  for (const [name, value] of Object.entries(input)) {
    const rule = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (!rule) return `${name} is unknown`
    if (rule.type === 'integer' ? !Number.isInteger(value) : typeof value !== rule.type)
      return `${name} must be of type ${rule.type}`
    if (rule.enum && !rule.enum.includes(value))
      return `${name} must be one of ${rule.enum.join(', ')}`
    if (value < rule.minimum || value > rule.maximum) return `${name} is out of range`
    const length = typeof value === 'string' ? [...value].length : 0
    if (length < rule.minLength || length > rule.maxLength) return `${name} has the wrong length`
  }
  return undefined
}

function notesOf(ctx, user) {
  const owner = user.login
  if (!ctx.notes.has(owner))
    ctx.notes.set(
      owner,
      ['Buy milk', 'Call Zoë', 'Read RFC 8707'].map((one, i) => ({ id: i + 1, text: one })),
    )
  return ctx.notes.get(owner)
}

function listPage(ctx, all, input) {
  const offset = input.offset ?? 0
  let items = all.slice(offset, offset + (input.limit ?? 20))
  const full = items.length
  const page = () => {
    const more = ctx.on('has-more-at-exact-end')
      ? all.length >= offset + items.length
      : all.length > offset + items.length
    return {
      total: all.length,
      count: items.length,
      offset,
      notes: items,
      has_more: more,
      next_offset:
        more || ctx.on('next-offset-at-end')
          ? offset + (ctx.on('next-offset-skips-truncated') ? full : items.length)
          : null,
    }
  }
  const render = (value) =>
    input.response_format === 'json' ? JSON.stringify(value, null, 2) : markdown(value)
  const mark = () =>
    items.length === full || ctx.on('truncation-not-told')
      ? page()
      : {
          ...page(),
          truncated: true,
          truncation_message: `Only ${items.length} of ${full} notes fit. Use offset to see more.`,
        }
  while (render(mark()).length > CHARACTER_LIMIT && items.length > 1) items = items.slice(0, -1)
  return { value: mark(), text: render(mark()) }
}

function markdown(page) {
  const lines = [`# Notes (${page.count} of ${page.total})`, '']
  for (const note of page.notes) lines.push(`- ${note.text} (${note.id})`)
  if (!page.total) lines.push('No notes matched.')
  if (page.has_more) lines.push('', `More: use offset ${page.next_offset}.`)
  if (page.truncated) lines.push('', page.truncation_message)
  return lines.join('\n')
}

async function profile(ctx, identity, session) {
  let { user } = identity
  if (ctx.on('profile-of-session') && session) user = session.user
  if (ctx.on('profile-of-latest-request')) {
    await pause(60)
    user = ctx.memory.latestUser
  }
  if (ctx.on('profile-asked-upstream-each-time') && identity.grant?.upstream)
    user = await fetchUser(ctx, identity.grant.upstream.accessToken)
  const value = { login: user.login, email: user.email }
  if (ctx.on('profile-with-name')) value.name = user.name
  return { value, text: JSON.stringify(value) }
}

/** The result of tools/call; failures are results with text that begins with "Error:". */
export async function callTool(ctx, tool, input, identity, session) {
  const tooMany = ctx.on('limit-of-hundred-refused') && input?.limit === 100
  const problem = tooMany ? 'limit is out of range' : inputProblem(tool.inputSchema, input)
  if (problem)
    return { content: [{ type: 'text', text: `Error: Invalid input: ${problem}.` }], isError: true }
  try {
    let result
    if (tool.name === 'notes_get_profile') result = await profile(ctx, identity, session)
    else if (tool.name === 'notes_list_notes')
      result = listPage(ctx, notesOf(ctx, identity.user), input)
    else {
      const notes = notesOf(ctx, identity.user)
      const note = { id: notes.length + 1, text: input.text }
      notes.push(note)
      result = { value: note, text: JSON.stringify(note) }
    }
    const answer = { content: [{ type: 'text', text: result.text }], isError: false }
    if (!ctx.on('results-without-structure')) answer.structuredContent = result.value
    return answer
  } catch (error) {
    return { content: [{ type: 'text', text: `Error: ${describeFailure(error)}` }], isError: true }
  }
}

function describeFailure(error) {
  if (error.name === 'TimeoutError') return 'Request timed out. Try again.'
  const status = /answered (\d+)/.exec(error.message)?.[1]
  const known = {
    404: 'Resource not found. Check the identifier.',
    403: 'Permission denied.',
    429: 'Rate limit exceeded. Wait before retrying.',
    401: 'Invalid API authentication.',
  }
  if (status) return known[status] ?? `Request failed with status ${status}.`
  return `Unexpected error: ${error.name}`
}
