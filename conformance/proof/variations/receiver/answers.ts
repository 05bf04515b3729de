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
    row: 'EVT-RECEIVER-01',
    factor: 'status of acknowledgements',
    levels: [
      { name: '200', says: 'Acknowledges with 200.' },
      { name: '201', says: 'Acknowledges with 201.', choices: { ackStatus: 201 } },
      { name: '202', says: 'Acknowledges with 202.', choices: { ackStatus: 202 } },
      { name: '204', says: 'Acknowledges with 204.', choices: { ackStatus: 204 } },
      {
        name: '299',
        alone: true,
        says: 'Acknowledges with a status that nobody has registered.',
        deviation: acknowledging((reply) => ({ ...reply, status: 299 })),
      },
      {
        name: 'each its own',
        alone: true,
        says: 'Acknowledges pushes with 201 and all else with 202.',
        deviation: acknowledging((reply, { headers }) => ({
          ...reply,
          status: headers['x-hook-event'] === 'Push Hook' ? 201 : 202,
        })),
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-01',
    factor: 'body of acknowledgements',
    levels: [
      { name: 'JSON', says: 'Acknowledges in JSON.' },
      { name: 'text', says: 'Acknowledges with a word.', choices: { ackBody: 'text' } },
      { name: 'none', says: 'Acknowledges without a body.', choices: { ackBody: 'empty' } },
      {
        name: 'a page',
        alone: true,
        says: 'Acknowledges with a page for people.',
        deviation: acknowledging(({ status }) => ({
          status,
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
          raw: '<!doctype html><title>error</title><p>Thank you',
        })),
      },
      {
        name: 'an error in words',
        alone: true,
        says: 'Acknowledges, and says in the body that it failed: the status counts.',
        deviation: acknowledging(({ status }) => ({
          status,
          body: { error: 'unknown project', status: 404 },
        })),
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-11',
    factor: 'deliveries with a wrong token',
    levels: [
      { name: 'refused', says: 'Refuses them.' },
      {
        name: 'dropped',
        says: 'Acknowledges and drops them, as its target file says.',
        choices: { onMismatch: 'drop' },
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-11',
    factor: 'refusal of a wrong token',
    levels: [
      { name: '401', says: 'Refuses with 401.' },
      { name: '403', says: 'Refuses with 403.', choices: { mismatchStatus: 403 } },
      { name: '400', alone: true, says: 'Refuses with 400.', choices: { mismatchStatus: 400 } },
      {
        name: '404',
        says: 'Refuses with 404, as if nothing were there.',
        choices: { mismatchStatus: 404 },
      },
      { name: '422', alone: true, says: 'Refuses with 422.', choices: { mismatchStatus: 422 } },
      {
        name: 'elsewhere',
        says: 'Sends strangers to a page on which to sign in.',
        deviation: refusing(() => ({ status: 302, headers: { Location: '/sign-in' }, raw: '' })),
      },
      {
        name: 'a failure',
        alone: true,
        says: 'Answers 500, as a program does that throws.',
        deviation: refusing(() => ({ status: 500, body: { error: 'wrong token' } })),
      },
      { name: 'none', says: 'Hangs up on strangers.', deviation: refusing(hangUp) },
    ],
  },
  {
    row: 'EVT-RECEIVER-24',
    factor: 'answers to other methods',
    levels: [
      { name: '405', says: 'Answers 405.' },
      { name: '404', says: 'Answers 404.', choices: { otherMethodStatus: 404 } },
      { name: 'a page', says: 'Answers a page with 200.', deviation: toOthers(200) },
      {
        name: 'not implemented',
        alone: true,
        says: 'Answers 501, as small servers do for methods that they were not written for.',
        warns: ['EVT-RECEIVER-24'],
        deviation: toOthers(501),
      },
    ],
  },
]
