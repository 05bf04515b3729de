import { type Expectation, labelled, NotApplicable, ofValue } from '../../../engine/index.ts'
import type { McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { observeUpdates } from '../support/resource-updates.ts'
import {
  resumedStreams,
  type ResumedEvents,
  type ResumedStream,
} from '../support/resumed-streams.ts'
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

const hasOnlyOwnMessages: Expectation<ResumedStream> = {
  name: 'contains only its own messages',
  expected: 'only messages that the resumed stream has not delivered',
  test: ({ foreign }) => foreign.length === 0,
  received: ({ foreign }) =>
    [
      ...new Set(
        foreign.map(({ kind, json }) =>
          kind === 'response' ? 'a response to another request' : String(json['method']),
        ),
      ),
    ].join(', '),
}

const repeatedIds = ({ all }: ResumedEvents): readonly string[] => {
  const ids = all.flat()
  return ids.filter((id, at) => ids.indexOf(id) !== at)
}
const hasDifferentIds: Expectation<ResumedEvents> = {
  name: 'has different ids',
  expected: 'an id for each event that no other event of the session has',
  test: (events) => repeatedIds(events).length === 0,
  received: (events) => `ids of several events: ${repeatedIds(events).slice(0, 3).join(', ')}`,
}
const continuesAfter: Expectation<ResumedEvents> = {
  name: 'continues after the event',
  expected: 'none of the events, or all after the named event, in their order',
  test: ({ stream, again }) => again.length === 0 || again.join() === stream.slice(1).join(),
  received: ({ stream, again }) => {
    const places = again.map((id) => stream.indexOf(id) + 1)
    return `events ${places.join(', ')} of ${stream.length}, after event 1`
  },
}

export const streamsChecks = [
  check('TOOL-HTTP-16', {
    title: 'sends no messages of other streams on a resumed stream',
    root: 'TOOL-HTTP-01',
    async run(world) {
      const { inSession, elsewhere } = await resumedStreams(world)
      world.expect(
        inSession.exchange,
        labelled('another stream of the session', ofValue(inSession, hasOnlyOwnMessages)),
      )
      if (elsewhere === undefined) return
      world.expect(
        elsewhere.exchange,
        labelled('another session', ofValue(elsewhere, hasOnlyOwnMessages)),
      )
    },
  }),

  check('TOOL-HTTP-17', {
    title: 'gives each event of a session a different id',
    root: 'TOOL-HTTP-01',
    async run(world) {
      const { events } = await resumedStreams(world)
      world.expect(events.exchange, ofValue(events, hasDifferentIds))
    },
  }),

  check('TOOL-HTTP-18', {
    title: 'continues a resumed stream after the event that the client names',
    root: 'TOOL-HTTP-01',
    async run(world) {
      const { events } = await resumedStreams(world)
      if (events.stream.length < 2)
        throw new NotApplicable('no stream has an event after its first one')
      if (events.again.length === 0)
        throw new NotApplicable('the server does not send events again')
      world.expect(events.exchange, ofValue(events, continuesAfter))
    },
  }),

  check('TOOL-HTTP-13', {
    title: 'sends each message on only one of two open streams',
    async run(world) {
      const found = (await callWithOpenStream(world)).flatMap(({ exchange, received }) =>
        Object.entries(kinds).flatMap(([door, isOfKind]) => {
          const messages = received.filter(isOfKind)
          return messages.length === 0 ? [] : [{ exchange, door, messages }]
        }),
      )
      // A server may send other notifications, such as those about changed resources.
      if (found.length === 0)
        throw new NotApplicable('the server sends neither progress, log messages nor requests')
      for (const { exchange, door, messages } of found)
        world.expect(exchange, labelled(door, ofValue(messages, arrivesOnce)))
    },
  }),

  check('TOOL-HTTP-13', {
    title: 'sends the notification of a changed resource on only one of two event streams',
    door: 'a notification of a changed resource',
    root: 'TOOL-HTTP-01',
    needs: ['tools.elicit'],
    async run(world) {
      const { onTwoStreams } = await observeUpdates(world)
      if (onTwoStreams === undefined)
        throw new NotApplicable('the server opens only one event stream in a session')
      world.expectValue(onTwoStreams, {
        name: 'is sent once',
        expected: 'one notification about one change, as with one event stream',
        test: (all) => new Set(all.map(({ exchange }) => exchange)).size < 2,
        received: (all) => all.map(({ message }) => JSON.stringify(message)).join('; '),
      })
    },
  }),
]
