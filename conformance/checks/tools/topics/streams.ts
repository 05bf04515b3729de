import { type Expectation, labelled, ofValue } from '../../../engine/index.ts'
import type { McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { callWithOpenStream, messagesOnTwoStreams } from '../support/stream-messages.ts'

/** The kinds of messages. The keys are cases (`doors`) of TOOL-HTTP-13. */
const kinds: Readonly<Record<string, (message: McpReceived) => boolean>> = {
  'a progress notification': ({ json }) => json['method'] === 'notifications/progress',
  'a log message': ({ json }) => json['method'] === 'notifications/message',
  'a request': ({ kind }) => kind === 'request',
}

const arrivesOnce: Expectation<readonly McpReceived[]> = {
  name: 'arrives on one stream',
  expected: 'no message both in the response to a call and on the event stream of the session',
  test: (received) => messagesOnTwoStreams(received).length === 0,
  received: (received) =>
    `on both streams: ${messagesOnTwoStreams(received)
      .slice(0, 3)
      .map(({ message }) => JSON.stringify(message).slice(0, 200))
      .join('; ')}`,
}

export const streamsChecks = [
  check('TOOL-HTTP-13', {
    title: 'sends each message on only one of two open streams',
    async run(world) {
      for (const { exchange, received } of await callWithOpenStream(world))
        for (const [door, isOfKind] of Object.entries(kinds)) {
          const messages = received.filter(isOfKind)
          if (messages.length > 0)
            world.expect(exchange, labelled(door, ofValue(messages, arrivesOnce)))
        }
    },
  }),
]
