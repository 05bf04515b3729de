import { hangUp, toOtherMethods } from '../../faults/receiver/building.ts'
import type { ReceiverDeviation } from '../../faults/receiver/fault.ts'
import type { ReceiverFactor } from './variation.ts'
import { acknowledging, refusing } from './building.ts'

/** Answers other methods than POST in its own way. */
const toOthers = (status: number): ReceiverDeviation => ({
  around: (call, next) => {
    toOtherMethods(call, () => status)
    return next()
  },
})

/** With what a receiver acknowledges, and with what it refuses. */
export const answers: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-01',
    name: 'status of acknowledgements',
    levels: [
      { name: '200', description: 'Acknowledges with 200.' },
      { name: '201', description: 'Acknowledges with 201.', choices: { ackStatus: 201 } },
      { name: '202', description: 'Acknowledges with 202.', choices: { ackStatus: 202 } },
      { name: '204', description: 'Acknowledges with 204.', choices: { ackStatus: 204 } },
      {
        name: '299',
        notCombined: true,
        description: 'Acknowledges with a status that nobody has registered.',
        deviation: acknowledging((reply) => ({ ...reply, status: 299 })),
      },
      {
        name: 'each its own',
        notCombined: true,
        description: 'Acknowledges pushes with 201 and all else with 202.',
        deviation: acknowledging((reply, { headers }) => ({
          ...reply,
          status: headers['x-hook-event'] === 'Push Hook' ? 201 : 202,
        })),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-01',
    name: 'body of acknowledgements',
    levels: [
      { name: 'JSON', description: 'Acknowledges in JSON.' },
      { name: 'text', description: 'Acknowledges with a word.', choices: { ackBody: 'text' } },
      { name: 'none', description: 'Acknowledges without a body.', choices: { ackBody: 'empty' } },
      {
        name: 'a page',
        notCombined: true,
        description: 'Acknowledges with a page for people.',
        deviation: acknowledging(({ status }) => ({
          status,
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
          raw: '<!doctype html><title>error</title><p>Thank you',
        })),
      },
      {
        name: 'an error in words',
        notCombined: true,
        description: 'Acknowledges, and says in the body that it failed: the status counts.',
        deviation: acknowledging(({ status }) => ({
          status,
          body: { error: 'unknown project', status: 404 },
        })),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-11',
    name: 'deliveries with a wrong token',
    levels: [
      { name: 'refused', description: 'Refuses them.' },
      {
        name: 'dropped',
        description: 'Acknowledges and drops them, as its target file says.',
        choices: { onMismatch: 'drop' },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-11',
    name: 'refusal of a wrong token',
    levels: [
      { name: '401', description: 'Refuses with 401.' },
      { name: '403', description: 'Refuses with 403.', choices: { mismatchStatus: 403 } },
      {
        name: '400',
        notCombined: true,
        description: 'Refuses with 400.',
        choices: { mismatchStatus: 400 },
      },
      {
        name: '404',
        description: 'Refuses with 404, as if nothing were there.',
        choices: { mismatchStatus: 404 },
      },
      {
        name: '422',
        notCombined: true,
        description: 'Refuses with 422.',
        choices: { mismatchStatus: 422 },
      },
      {
        name: 'elsewhere',
        description: 'Sends strangers to a page on which to sign in.',
        deviation: refusing(() => ({ status: 302, headers: { Location: '/sign-in' }, raw: '' })),
      },
      {
        name: 'a failure',
        notCombined: true,
        description: 'Answers 500, as a program does that throws.',
        deviation: refusing(() => ({ status: 500, body: { error: 'wrong token' } })),
      },
      { name: 'none', description: 'Hangs up on strangers.', deviation: refusing(hangUp) },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-24',
    name: 'answers to other methods',
    levels: [
      { name: '405', description: 'Answers 405.' },
      { name: '404', description: 'Answers 404.', choices: { otherMethodStatus: 404 } },
      { name: 'a page', description: 'Answers a page with 200.', deviation: toOthers(200) },
      {
        name: 'not implemented',
        notCombined: true,
        description: 'Answers 501, as small servers do for methods that they were not written for.',
        unmet: ['EVT-RECEIVER-24'],
        deviation: toOthers(501),
      },
    ],
  },
]
