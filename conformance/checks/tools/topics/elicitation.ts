import {
  isFlatSchema,
  elicitationsOf,
  type ElicitingCall,
  requireElicitations,
  callElicitingTool,
  actions,
} from '../support/elicitations.ts'
import { type Expectation, ofSubject, labelled } from '../../../engine/index.ts'
import { check } from '../support/define.ts'

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

const hasMessage: Expectation<readonly ElicitingCall[]> = {
  name: 'comes with a message',
  expected: 'message, a text',
  test: (asked) => elicitationsOf(asked).every(({ params }) => isText(params['message'])),
  received: (asked) =>
    elicitationsOf(asked)
      .map(({ params }) => `message: ${JSON.stringify(params['message']) ?? 'missing'}`)
      .join('; '),
}
const hasSchema: Expectation<readonly ElicitingCall[]> = {
  name: 'comes with a schema of flat fields',
  expected: 'requestedSchema, an object of texts, numbers, truths and lists of values',
  test: (asked) =>
    elicitationsOf(asked).every(({ params }) => isFlatSchema(params['requestedSchema'])),
  received: (asked) =>
    elicitationsOf(asked)
      .map(
        ({ params }) =>
          `requestedSchema: ${JSON.stringify(params['requestedSchema']) ?? 'missing'}`,
      )
      .join('; '),
}
const hasResult: Expectation<readonly ElicitingCall[]> = {
  name: 'ends with a result',
  expected: 'a result',
  test: (asked) => asked.every(({ exchange }) => exchange.result !== undefined),
  received: (asked) => asked.map(({ exchange }) => exchange.summary).join('; '),
}
const asksNot: Expectation<readonly ElicitingCall[]> = {
  name: 'asks nobody who cannot be asked',
  expected: 'no elicitation/create',
  test: (asked) => elicitationsOf(asked).length === 0,
  received: (asked) => `${elicitationsOf(asked).length} questions`,
}

export const eliciting = [
  check('TOOL-ELICIT-01', {
    title: 'asks with a message and a schema of flat fields',
    async run(world) {
      world.expectOf(await requireElicitations(world, 'accept'), hasMessage, hasSchema)
    },
  }),

  check('TOOL-ELICIT-02', {
    title: 'ends a call whatever its user answers',
    async run(world) {
      const asked = await Promise.all(actions.map((action) => requireElicitations(world, action)))
      world.expectOf(
        asked,
        ...actions.map((action, index) => labelled(action, ofSubject(asked[index]!, hasResult))),
      )
    },
  }),

  check('TOOL-ELICIT-03', {
    title: 'asks only clients that can be asked',
    async run(world) {
      // That it asks others is the contrast: a tool that asks nobody proves nothing.
      await requireElicitations(world, 'accept')
      const asked = await callElicitingTool(world, undefined)
      for (const { exchange } of asked) world.record(exchange)
      world.expectOf(asked, asksNot)
    },
  }),
]
