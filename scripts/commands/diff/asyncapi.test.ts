import { expect, it } from 'vitest'
import type { AnyJson as DocumentJson } from '../../generate/openapi.ts'
import { changesBetween } from './pairs.testing.ts'

function events(change: (document: DocumentJson) => void = () => {}): DocumentJson {
  const document = {
    asyncapi: '3.0.0',
    info: { title: 'Events', version: '1.0.0' },
    channels: {
      all: {
        address: '/hook',
        messages: {
          push: { $ref: '#/components/messages/push' },
          command: { payload: { type: 'object', properties: { name: { enum: ['stop'] } } } },
        },
      },
    },
    operations: {
      sendPush: {
        action: 'send',
        channel: { $ref: '#/channels/all' },
        messages: [{ $ref: '#/channels/all/messages/push' }],
      },
      receiveCommand: {
        action: 'receive',
        channel: { $ref: '#/channels/all' },
        messages: [{ $ref: '#/channels/all/messages/command' }],
      },
    },
    components: {
      messages: {
        push: {
          name: 'push',
          contentType: 'application/json',
          headers: { type: 'object', properties: { 'X-Event': { const: 'Push' } } },
          payload: { $ref: '#/components/schemas/Push' },
        },
      },
      schemas: {
        Push: {
          type: 'object',
          required: ['ref'],
          properties: { ref: { type: 'string' }, action: { enum: ['open'] } },
        },
      },
    },
  }
  change(document)
  return document
}
const push = (document: DocumentJson): DocumentJson => document.components.messages.push

it.each<[string, (document: DocumentJson) => void, string[]]>([
  ['nothing', () => {}, []],
  [
    'a new event',
    (d) => (d.channels.all.messages.tag = { payload: {} }),
    ['compatible message-added channel all, message tag'],
  ],
  [
    'a removed event',
    (d) => delete d.channels.all.messages.push,
    ['breaking message-removed channel all, message push'],
  ],
  [
    'a removed channel',
    (d) => delete d.channels.all,
    [
      'breaking message-removed channel all, message push',
      'breaking message-removed channel all, message command',
      'breaking channel-removed channel all',
    ],
  ],
  [
    'another address',
    (d) => (d.channels.all.address = '/hooks'),
    ['breaking address-changed channel all'],
  ],
  [
    'another content type',
    (d) => (push(d).contentType = 'text/plain'),
    ['breaking content-type-changed channel all, message push'],
  ],
  [
    'another value of a header',
    (d) => (push(d).headers.properties['X-Event'].const = 'Push Hook'),
    [
      'breaking value-added channel all, message push, headers:/X-Event',
      'compatible value-removed channel all, message push, headers:/X-Event',
    ],
  ],
  [
    'a value that receivers do not know',
    (d) => d.components.schemas.Push.properties.action.enum.push('close'),
    ['breaking value-added schema Push/action'],
  ],
  [
    'a property that became required',
    (d) => d.components.schemas.Push.required.push('action'),
    ['compatible became-required schema Push/action'],
  ],
  [
    'a property that became optional',
    (d) => (d.components.schemas.Push.required = []),
    ['breaking became-optional schema Push/ref'],
  ],
  [
    'a new value of a message that the user sends',
    (d) => d.channels.all.messages.command.payload.properties.name.enum.push('go'),
    ['compatible value-added channel all, message command, payload:/name'],
  ],
  [
    'a summary',
    (d) => (push(d).summary = 'A push.'),
    ['documentation text-changed channel all, message push'],
  ],
])('AsyncAPI: %s', (_, change, expected) => {
  expect(changesBetween(events(), events(change))).toEqual(expected)
})

it('what subscribers of AsyncAPI 2 receive', () => {
  const document = (action: string, values: string[]) => ({
    asyncapi: '2.6.0',
    channels: { all: { [action]: { message: { name: 'push', payload: { enum: values } } } } },
  })
  const place = (action: string) => `value-added all ${action}, message push, payload:`
  expect(changesBetween(document('subscribe', ['a']), document('subscribe', ['a', 'b']))).toEqual([
    `breaking ${place('subscribe')}`,
  ])
  expect(changesBetween(document('publish', ['a']), document('publish', ['a', 'b']))).toEqual([
    `compatible ${place('publish')}`,
  ])
})
