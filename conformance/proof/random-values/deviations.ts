import { messages as authMessages } from '../../../generated/auth/contract.ts'
import type { Field } from '../../../generated/contract.ts'
import { events } from '../../../generated/events/contract.ts'
import { operations } from '../../../generated/images/contract.ts'
import { paginationResult, toolDefinition, truncation } from '../../../generated/tools/contract.ts'
import type { GreetingResponse } from '../../../generated/greeting/index.ts'
import type { AuthDeviation } from '../faults/auth/fault.ts'
import type { GreetingDeviation } from '../faults/greeting/fault.ts'
import type { HooksDeviation } from '../faults/hooks/fault.ts'
import type { ImagesDeviation } from '../faults/images/fault.ts'
import type { ReceiverDeviation } from '../faults/receiver/fault.ts'
import type { ToolsDeviation } from '../faults/tools/fault.ts'
import type { RandomChanges } from './changes.ts'
import { randomHeader } from './values.ts'

// How the servers of each family send messages that `RandomChanges` has changed.

const images = (changes: RandomChanges): ImagesDeviation => ({
  around: async (call, next) => {
    const reply = await next()
    const operation = (operations as Partial<Record<string, (typeof operations)['listImages']>>)[
      call.operation
    ]
    return changes.reply(reply, operation?.[reply.status < 300 ? 'success' : 'failure'].fields)
  },
})

const hooks = (changes: RandomChanges): HooksDeviation => ({
  around: async (_call, next) => changes.reply(await next()),
  beforeDelivery: (delivery) => {
    if (!changes.next()) return delivery
    const { random } = changes
    const part = random.int(0, 10)
    if (part === 0) return { ...delivery, raw: changes.text(JSON.stringify(delivery.body)) }
    if (part <= 2)
      return {
        ...delivery,
        headers: delivery.headers.map(([name, value]) => [
          name,
          random.int(0, 3) === 0 ? randomHeader(random, value) : value,
        ]),
      }
    const body = changes.json(delivery.body, events[delivery.event].payload.fields)
    return { ...delivery, body: delivery.body, raw: JSON.stringify(body) ?? '' }
  },
})

const receiver = (changes: RandomChanges): ReceiverDeviation => ({
  around: async (_call, next) => changes.reply(await next()),
})

/** Prefixes of places in messages of JSON-RPC, and the fields of the values at these places. */
const partsOfTools = [
  { prefix: '/result/tools/*', fields: toolDefinition.fields },
  {
    prefix: '/result/structuredContent',
    fields: [...paginationResult.fields, ...truncation.fields],
  },
]

const fieldsOfTools: readonly Field[] = partsOfTools.flatMap(({ prefix, fields }) =>
  fields.map((field) => ({ ...field, path: `${prefix}${field.path}` })),
)

const tools = (changes: RandomChanges): Pick<ToolsDeviation, 'message'> => ({
  message: (direction, message) =>
    direction === 'out' && changes.next()
      ? (changes.json(message, fieldsOfTools) as typeof message)
      : message,
})

/** The fields of each endpoint, for all its responses together. */
const fieldsOfEndpoints: Readonly<Partial<Record<string, readonly Field[]>>> = {
  token: [...authMessages['token success'].fields, ...authMessages['token failure'].fields],
  register: [
    ...authMessages['register success'].fields,
    ...authMessages['register failure'].fields,
  ],
  'server metadata': authMessages['serverMetadata success'].fields,
  'resource metadata': authMessages['resourceMetadata success'].fields,
}

const auth = (changes: RandomChanges): AuthDeviation => ({
  ...tools(changes),
  changeReply: (endpoint, reply) => changes.reply(reply, fieldsOfEndpoints[endpoint]),
})

const greeting = (changes: RandomChanges): GreetingDeviation => ({
  around: async (call, next) => {
    const { send } = call
    const { random } = changes
    call.send = (response) => {
      if (!changes.next()) return send(response)
      if (response instanceof Uint8Array) return send(changes.bytes(response))
      const changed = changes.json(response) as Partial<GreetingResponse> | undefined
      // A value that is not a string cannot be encoded, so its JSON is sent as bytes.
      const isEncodable =
        typeof changed === 'object' &&
        changed !== null &&
        Object.values(changed).every((value) => typeof value === 'string')
      return send(
        isEncodable && random.int(0, 4) > 0
          ? changed
          : changes.bytes(Buffer.from(JSON.stringify(changed) ?? '')),
      )
    }
    const ending = await next()
    if (!changes.next()) return ending
    return {
      ...ending,
      code: random.int(0, 20),
      details: changes.text(ending.details ?? 'details'),
    }
  },
})

/** For each family, makes a deviation that changes its messages. */
export const deviations = { images, hooks, receiver, greeting, tools, jwt: auth, oauth: auth }

export type FamilyName = keyof typeof deviations
