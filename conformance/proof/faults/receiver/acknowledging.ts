import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ReceiverFault } from './fault.ts'
import {
  fault,
  closeConnection,
  toHyphens,
  onDelivery,
  onTrusted,
  valuesAt,
  toWords,
  type WrongResponse,
} from './building.ts'

/** For each event, the requirement that a receiver acknowledges the deliveries of this event. */
export const requirementsByEvent: Readonly<Record<EventName, RequirementId>> = {
  push: 'EVT-RECEIVER-01',
  tag_push: 'EVT-RECEIVER-02',
  issue: 'EVT-RECEIVER-03',
  merge_request: 'EVT-RECEIVER-04',
  pipeline: 'EVT-RECEIVER-05',
  job: 'EVT-RECEIVER-06',
  deployment: 'EVT-RECEIVER-07',
  wiki_page: 'EVT-RECEIVER-08',
  release: 'EVT-RECEIVER-09',
}

const wrongResponses: readonly { name: string; description: string; wrong: WrongResponse }[] = [
  {
    name: 'are-not-known',
    description: 'returns 404, as for an unknown event',
    wrong: 404,
  },
  { name: 'break-it', description: 'returns 500', wrong: 500 },
  { name: 'are-sent-elsewhere', description: 'returns a redirect', wrong: 307 },
  {
    name: 'are-hung-up-on',
    description: 'closes the connection without a response',
    wrong: 'close',
  },
]

/** Faults in the responses to all deliveries of one event. */
const faultsOfEvent = (event: EventName) =>
  wrongResponses.map(({ name, description, wrong }) =>
    fault(
      `deliveries-of-${toHyphens(event)}-${name}`,
      `For each ${toWords(event)} delivery, ${description}.`,
      [requirementsByEvent[event]],
      onDelivery(() => (delivery) => (delivery.event === events[event].header ? wrong : undefined)),
    ),
  )

/**
 * Makes a fault: the receiver verifies the token, and then responds wrongly to those deliveries of
 * an event for which `isMishandled` returns true.
 */
const mishandle = (
  name: string,
  description: string,
  event: EventName,
  wrong: WrongResponse,
  isMishandled: (payload: Record<string, unknown>) => boolean,
): ReceiverFault =>
  fault(
    name,
    description,
    [requirementsByEvent[event]],
    onDelivery(
      () =>
        ({ event: header, payload }) =>
          header === events[event].header && isObject(payload) && isMishandled(payload)
            ? wrong
            : undefined,
    ),
  )

export const acknowledging: readonly ReceiverFault[] = [
  ...eventNames.flatMap(faultsOfEvent),

  mishandle(
    'object-kind-of-jobs-is-thought-to-be-job',
    'Expects object_kind to be `job` in job deliveries, and returns 422 for the correct value, `build`.',
    'job',
    422,
    ({ object_kind }) => object_kind !== 'job',
  ),
  mishandle(
    'tags-are-thought-to-have-commits',
    'Reads the first commit of a tag push, and returns 500 if there is none.',
    'tag_push',
    500,
    ({ commits }) => (commits as unknown[]).length === 0,
  ),
  mishandle(
    'deleted-branches-are-thought-to-have-a-commit',
    'Looks up the commit in the field `after` of a push, and returns 404 if its id consists of zeros.',
    'push',
    404,
    ({ after }) => /^0+$/.test(String(after)),
  ),
  mishandle(
    'pipelines-without-a-merge-request-are-refused',
    'Returns 400 for a pipeline without a merge request.',
    'pipeline',
    400,
    ({ merge_request }) => merge_request === null,
  ),
  mishandle(
    'skipped-pipelines-are-refused',
    'Returns 422 for a skipped pipeline.',
    'pipeline',
    422,
    ({ object_attributes }) => (object_attributes as { status: string }).status === 'skipped',
  ),
  mishandle(
    'running-jobs-are-thought-to-have-ended',
    'Reads the finish time of a job, and returns 500 if it is null.',
    'job',
    500,
    ({ build_finished_at }) => build_finished_at === null,
  ),
  mishandle(
    'deletions-of-pages-are-put-off',
    'Returns 503 for the deletion of a wiki page.',
    'wiki_page',
    503,
    ({ object_attributes }) => (object_attributes as { action: string }).action === 'delete',
  ),
  mishandle(
    'long-payloads-are-refused',
    'Returns 413 for pushes with a payload above 8 KiB.',
    'push',
    413,
    (payload) => JSON.stringify(payload).length > 8 * 1024,
  ),

  fault(
    'reopened-issues-are-never-answered',
    'Never responds to the delivery of a reopened issue.',
    ['EVT-RECEIVER-03'],
    (hit) => ({
      around: onTrusted(({ event, payload }, _call, next) => {
        if (
          event !== events.issue.header ||
          !valuesAt(payload, ['object_attributes', 'action']).includes('reopen')
        )
          return next()
        hit()
        return new Promise(() => {})
      }),
    }),
  ),
  fault(
    'deliveries-end-in-the-middle-of-the-answer',
    'Closes the connection in the middle of its responses.',
    Object.values(requirementsByEvent),
    (hit) => ({
      around: onTrusted(async (_delivery, call, next) => {
        const { status } = await next()
        hit()
        await new Promise((written) =>
          call.request.socket.write(
            `HTTP/1.1 ${status} OK\r\nContent-Length: 100\r\n\r\n{"rece`,
            written,
          ),
        )
        return closeConnection(call)
      }),
    }),
  ),
]
