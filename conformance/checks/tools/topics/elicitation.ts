import {
  isFlatSchema,
  elicitationsOf,
  type ElicitingCall,
  requireElicitations,
  callElicitingTool,
  changesByAnswer,
  contentAgainst,
  actions,
  elicitTwice,
} from '../support/elicitations.ts'
import {
  Blocked,
  type Expectation,
  NotApplicable,
  ofValue,
  labelled,
} from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { answerFromOtherClient } from '../support/foreign-answers.ts'
import { expectOnEachTransport } from '../support/one-transport.ts'

const exchangeOf = ({ exchange }: ElicitingCall) => exchange

const isNotBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

const hasMessage: Expectation<readonly ElicitingCall[]> = {
  name: 'has a message',
  expected: 'the field message (a non-empty string) in each elicitation',
  test: (calls) => elicitationsOf(calls).every(({ params }) => isNotBlank(params['message'])),
  received: (calls) =>
    elicitationsOf(calls)
      .map(({ params }) => `message: ${JSON.stringify(params['message']) ?? 'missing'}`)
      .join('; '),
}
const hasSchema: Expectation<readonly ElicitingCall[]> = {
  name: 'has a schema of flat fields',
  expected: 'requestedSchema with only strings, numbers, booleans and enums as fields',
  test: (calls) =>
    elicitationsOf(calls).every(({ params }) => isFlatSchema(params['requestedSchema'])),
  received: (calls) =>
    elicitationsOf(calls)
      .map(
        ({ params }) =>
          `requestedSchema: ${JSON.stringify(params['requestedSchema']) ?? 'missing'}`,
      )
      .join('; '),
}
const hasResult: Expectation<readonly ElicitingCall[]> = {
  name: 'ends with a result',
  expected: 'a result for each call',
  test: (calls) => calls.every(({ exchange }) => exchange.result !== undefined),
  received: (calls) => calls.map(({ exchange }) => exchange.summary).join('; '),
}
/** The results of the calls over each transport; without calls that have none. */
const resultPairs = (accepted: readonly ElicitingCall[], others: readonly ElicitingCall[]) =>
  others.flatMap(({ exchange }) => {
    const other = accepted.find((one) => one.exchange.transport === exchange.transport)
    const results = [other?.exchange.result, exchange.result]
    return results.includes(undefined) ? [] : [results.map((one) => JSON.stringify(one))]
  })

/** Compares pairs of results: the first for a user who accepts, the second for one who does not. */
const differs: Expectation<readonly (readonly string[])[]> = {
  name: 'differs from the result of a user who accepts',
  expected: 'a result that differs from the one for a user who accepts',
  test: (pairs) => pairs.every(([accepted, other]) => accepted !== other),
  received: (pairs) =>
    `the same result: ${pairs.find(([accepted, other]) => accepted === other)?.[0]?.slice(0, 200)}`,
}

const sendsNoElicitation: Expectation<readonly ElicitingCall[]> = {
  name: 'sends no elicitation to clients without the capability',
  expected: 'no elicitation/create',
  test: (calls) => elicitationsOf(calls).length === 0,
  received: (calls) => `elicitation/create requests: ${elicitationsOf(calls).length}`,
}

/** Ends the check as not applicable if a form has no fields: no response is then invalid. */
function requireFields(calls: readonly ElicitingCall[]): void {
  const areEmpty = elicitationsOf(calls).some(
    ({ params }) => Object.keys(contentAgainst(params['requestedSchema'])).length === 0,
  )
  if (areEmpty) throw new NotApplicable('the tool elicits no fields')
}

/** The first version of MCP with modes of elicitation. */
const firstWithModes = '2025-11-25'

const sendsNoForm: Expectation<readonly ElicitingCall[]> = {
  name: 'sends no form',
  expected: 'no elicitation/create, or only with the mode url',
  test: (calls) => elicitationsOf(calls).every(({ params }) => params['mode'] === 'url'),
  received: (calls) => `elicitation/create requests: ${elicitationsOf(calls).length}`,
}

const repeatedIds = (sessions: readonly ElicitingCall[]) =>
  sessions.flatMap(({ elicitations }) => {
    const ids = elicitations.map(({ id }) => JSON.stringify(id))
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
const usesIdsOnce: Expectation<readonly ElicitingCall[]> = {
  name: 'uses each id once',
  expected: 'a different id in each request from the server',
  test: (sessions) => repeatedIds(sessions).length === 0,
  received: (sessions) => `ids used more than once: ${repeatedIds(sessions).join(', ')}`,
}

/** Expects none of the fields to change that change if the user accepts. */
const changesNothing = (accepted: readonly string[]): Expectation<readonly string[]> => ({
  name: 'changes nothing',
  expected: 'no change of the fields that change if the user accepts',
  test: (changed) => !changed.some((field) => accepted.includes(field)),
  received: (changed) => changed.filter((field) => accepted.includes(field)).join('; '),
})

export const elicitationChecks = [
  check('TOOL-ELICIT-01', {
    title: 'elicits with a message and a schema without nested fields',
    async run(world) {
      const calls = await requireElicitations(world, 'accept')
      expectOnEachTransport(world, calls, exchangeOf, hasMessage, hasSchema)
    },
  }),

  check('TOOL-ELICIT-02', {
    title: 'returns a result whether the user accepts, declines or cancels',
    async run(world) {
      const calls = await Promise.all(actions.map((action) => requireElicitations(world, action)))
      world.expectValue(
        calls,
        ...actions.map((action, index) =>
          labelled(`the action ${action}`, ofValue(calls[index]!, hasResult)),
        ),
      )
    },
  }),

  check('TOOL-ELICIT-03', {
    title: 'elicits only from clients with the elicitation capability',
    async run(world) {
      // First ensures that the tool elicits at all, because otherwise the absence of elicitations
      // proves nothing.
      await requireElicitations(world, 'accept')
      const calls = await callElicitingTool(world, 'no capability')
      for (const { exchange } of calls) world.record(exchange)
      expectOnEachTransport(world, calls, exchangeOf, sendsNoElicitation)
    },
  }),

  check('TOOL-ELICIT-04', {
    title: 'returns another result if the user does not accept',
    async run(world) {
      const accepted = await requireElicitations(world, 'accept')
      for (const action of ['decline', 'cancel'] as const) {
        const calls = await requireElicitations(world, action)
        const pairs = resultPairs(accepted, calls)
        // Without the results of both calls, there is nothing to compare.
        if (pairs.length === 0) throw new Blocked('TOOL-ELICIT-02')
        world.expectValue(pairs, labelled(`the action ${action}`, differs))
      }
    },
  }),

  check('TOOL-ELICIT-06', {
    title: 'changes no data if the user does not accept',
    async run(world) {
      await requireElicitations(world, 'accept')
      const changes = await changesByAnswer(world)
      for (const action of ['decline', 'cancel'] as const)
        world.expectValue(
          changes[action],
          labelled(`the action ${action}`, changesNothing(changes.accept)),
        )
    },
  }),

  check('TOOL-ELICIT-07', {
    title: 'sends no form to clients that only open URLs',
    async run(world) {
      // Only a tool that elicits with the usual capability shows that it does not with this one.
      await requireElicitations(world, 'accept')
      // In earlier versions, every object declares that the client shows forms.
      const calls = (await callElicitingTool(world, 'only URLs')).filter(
        ({ version }) => String(version) >= firstWithModes,
      )
      if (calls.length === 0)
        throw new NotApplicable(`the server does not use MCP ${firstWithModes}`)
      for (const { exchange } of calls) world.record(exchange)
      expectOnEachTransport(world, calls, exchangeOf, sendsNoForm)
    },
  }),

  check('TOOL-ELICIT-08', {
    title: 'does not treat an invalid response as a valid one',
    door: 'the result',
    async run(world) {
      const accepted = await requireElicitations(world, 'accept')
      requireFields(accepted)
      const calls = await requireElicitations(world, 'invalid content')
      const pairs = resultPairs(accepted, calls)
      if (pairs.length === 0) throw new NotApplicable('a call with an invalid response fails')
      world.expectValue(pairs, differs)
    },
  }),

  check('TOOL-ELICIT-08', {
    title: 'changes no data after an invalid response',
    door: 'the data',
    async run(world) {
      requireFields(await requireElicitations(world, 'accept'))
      const changes = await changesByAnswer(world)
      world.expectValue(changes['invalid content'], changesNothing(changes.accept))
    },
  }),

  check('TOOL-MCP-14', {
    title: 'uses a new id for each request to the client',
    async run(world) {
      const sessions = (
        await world.onEachTransport((session) => elicitTwice(world, session))
      ).filter(({ elicitations: { length } }) => length > 1)
      if (sessions.length === 0)
        throw new NotApplicable('the server did not send two requests in one session')
      expectOnEachTransport(world, sessions, exchangeOf, usesIdsOnce)
    },
  }),

  check('TOOL-ELICIT-05', {
    title: 'lets only the client of a call respond to its elicitation',
    async run(world) {
      const transports = world.transports.filter((transport) => transport !== 'stdio')
      if (transports.length === 0)
        throw new NotApplicable('over stdio, each client has a process of the server')
      await world.onEachTransport(async (session) => {
        const { exchange, isEndedEarly } = await answerFromOtherClient(world, session)
        world.expect(exchange, {
          name: 'waits for its own client',
          expected: 'no result of the call before its own client has responded',
          test: () => !isEndedEarly,
          received: ({ summary }) => `after the response of another client: ${summary}`,
        })
      }, transports)
    },
  }),
]
