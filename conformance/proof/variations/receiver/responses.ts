import { closeConnection, replaceOtherMethodStatus } from '../../faults/receiver/building.ts'
import type { ReceiverDeviation } from '../../faults/receiver/fault.ts'
import type { ReceiverFactor } from './variation.ts'
import { changeAcknowledgements, replaceRefusals } from './building.ts'

/** Replaces the status for methods other than POST. */
const respondToOtherMethods = (status: number): ReceiverDeviation => ({
  around: (call, next) => {
    replaceOtherMethodStatus(call, () => status)
    return next()
  },
})

/** Choices about how a receiver acknowledges and refuses deliveries. */
export const responses: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-01',
    name: 'status of acknowledgements',
    values: [
      { name: '200', description: 'Acknowledges with 200.' },
      { name: '201', description: 'Acknowledges with 201.', choices: { ackStatus: 201 } },
      { name: '202', description: 'Acknowledges with 202.', choices: { ackStatus: 202 } },
      { name: '204', description: 'Acknowledges with 204.', choices: { ackStatus: 204 } },
      {
        name: '299',
        notCombined: true,
        description: 'Acknowledges with an unregistered status.',
        deviation: changeAcknowledgements((reply) => ({ ...reply, status: 299 })),
      },
      {
        name: 'depends on the event',
        notCombined: true,
        description: 'Acknowledges pushes with 201 and other events with 202.',
        deviation: changeAcknowledgements((reply, { headers }) => ({
          ...reply,
          status: headers['x-hook-event'] === 'Push Hook' ? 201 : 202,
        })),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-01',
    name: 'body of acknowledgements',
    values: [
      { name: 'JSON', description: 'Returns JSON.' },
      { name: 'a word', description: 'Returns a word.', choices: { ackBody: 'text' } },
      { name: 'none', description: 'Returns no body.', choices: { ackBody: 'empty' } },
      {
        name: 'an HTML page',
        notCombined: true,
        description: 'Returns an HTML page.',
        deviation: changeAcknowledgements(({ status }) => ({
          status,
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
          raw: '<!doctype html><title>error</title><p>Thank you',
        })),
      },
      {
        name: 'a description of an error',
        notCombined: true,
        description:
          'Acknowledges deliveries, although the body describes an error. Only the status counts.',
        deviation: changeAcknowledgements(({ status }) => ({
          status,
          body: { error: 'unknown project', status: 404 },
        })),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-11',
    name: 'deliveries with a wrong token',
    values: [
      { name: 'refused', description: 'Refuses deliveries with a wrong token.' },
      {
        name: 'dropped',
        description:
          'Acknowledges and drops deliveries with a wrong token, as its target file says.',
        choices: { onMismatch: 'drop' },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-11',
    name: 'refusal of a wrong token',
    values: [
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
        description: 'Refuses with 404.',
        choices: { mismatchStatus: 404 },
      },
      {
        name: '422',
        notCombined: true,
        description: 'Refuses with 422.',
        choices: { mismatchStatus: 422 },
      },
      {
        name: 'a redirect to a login page',
        description: 'Redirects to a login page.',
        deviation: replaceRefusals(() => ({
          status: 302,
          headers: { Location: '/sign-in' },
          raw: '',
        })),
      },
      {
        name: '500',
        notCombined: true,
        description: 'Returns 500, like a program that throws.',
        deviation: replaceRefusals(() => ({ status: 500, body: { error: 'wrong token' } })),
      },
      {
        name: 'no response',
        description: 'Closes the connection without a response.',
        deviation: replaceRefusals(closeConnection),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-24',
    name: 'responses to other methods',
    values: [
      { name: '405', description: 'Returns 405.' },
      { name: '404', description: 'Returns 404.', choices: { otherMethodStatus: 404 } },
      {
        name: '200',
        description: 'Returns 200.',
        deviation: respondToOtherMethods(200),
      },
      {
        name: '501',
        notCombined: true,
        description: 'Returns 501, like servers without a handler for the method.',
        unmet: ['EVT-RECEIVER-24'],
        deviation: respondToOtherMethods(501),
      },
    ],
  },
]
