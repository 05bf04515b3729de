import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ReceiverFault } from './fault.ts'
import {
  fault,
  hangUp,
  hyphens,
  onDelivery,
  trusted,
  valuesAt,
  words,
  type WrongAnswer,
} from './building.ts'

/** The row by which each event is acknowledged. */
export const rowOf: Readonly<Record<EventName, RequirementId>> = {
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

const ways: readonly { name: string; description: string; wrong: WrongAnswer }[] = [
  {
    name: 'are-not-known',
    description: 'is answered 404, as an event that nobody knows',
    wrong: 404,
  },
  { name: 'break-it', description: 'is answered 500', wrong: 500 },
  { name: 'are-sent-elsewhere', description: 'is answered with a redirection', wrong: 307 },
  {
    name: 'are-hung-up-on',
    description: 'is not answered: the connection is closed',
    wrong: 'hangs up',
  },
]

/** What becomes of every delivery of one event. */
const ofEvent = (event: EventName) =>
  ways.map(({ name, description, wrong }) =>
    fault(
      `deliveries-of-${hyphens(event)}-${name}`,
      `Each ${words(event)} delivery ${description}.`,
      [rowOf[event]],
      onDelivery(() => (delivery) => (delivery.event === events[event].header ? wrong : undefined)),
    ),
  )

/** Misreads some deliveries, after the token was looked at. */
const misread = (
  name: string,
  description: string,
  event: EventName,
  wrong: WrongAnswer,
  misreads: (payload: Record<string, unknown>) => boolean,
): ReceiverFault =>
  fault(
    name,
    description,
    [rowOf[event]],
    onDelivery(
      () =>
        ({ event: header, payload }) =>
          header === events[event].header && isObject(payload) && misreads(payload)
            ? wrong
            : undefined,
    ),
  )

export const acknowledging: readonly ReceiverFault[] = [
  ...eventNames.flatMap(ofEvent),

  misread(
    'object-kind-of-jobs-is-thought-to-be-job',
    'Knows jobs by the object_kind job, and answers 422 to the one that they have.',
    'job',
    422,
    ({ object_kind }) => object_kind !== 'job',
  ),
  misread(
    'tags-are-thought-to-have-commits',
    'Reads the first commit of a tag push, and breaks where there is none.',
    'tag_push',
    500,
    ({ commits }) => (commits as unknown[]).length === 0,
  ),
  misread(
    'deleted-branches-are-thought-to-have-a-commit',
    'Looks up the commit after a push, and answers 404 where it is all zeros.',
    'push',
    404,
    ({ after }) => /^0+$/.test(String(after)),
  ),
  misread(
    'pipelines-without-a-merge-request-are-refused',
    'Answers 400 to a pipeline that belongs to no merge request.',
    'pipeline',
    400,
    ({ merge_request }) => merge_request === null,
  ),
  misread(
    'skipped-pipelines-are-refused',
    'Answers 422 to a pipeline that was skipped.',
    'pipeline',
    422,
    ({ object_attributes }) => (object_attributes as { status: string }).status === 'skipped',
  ),
  misread(
    'running-jobs-are-thought-to-have-ended',
    'Reads when a job has ended, and breaks where it has not.',
    'job',
    500,
    ({ build_finished_at }) => build_finished_at === null,
  ),
  misread(
    'deletions-of-pages-are-put-off',
    'Answers 503 to the deletion of a wiki page.',
    'wiki_page',
    503,
    ({ object_attributes }) => (object_attributes as { action: string }).action === 'delete',
  ),
  misread(
    'long-payloads-are-refused',
    'Refuses payloads above 8 KiB with 413.',
    'push',
    413,
    (payload) => JSON.stringify(payload).length > 8 * 1024,
  ),

  fault(
    'reopened-issues-are-never-answered',
    'Takes what tells that an issue was reopened, and never answers.',
    ['EVT-RECEIVER-03'],
    (hit) => ({
      around: trusted(({ event, payload }, _call, next) => {
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
    'Begins its answers and closes the connection before their end.',
    Object.values(rowOf),
    (hit) => ({
      around: trusted(async (_delivery, call, next) => {
        const { status } = await next()
        hit()
        await new Promise((written) =>
          call.request.socket.write(
            `HTTP/1.1 ${status} OK\r\nContent-Length: 100\r\n\r\n{"rece`,
            written,
          ),
        )
        return hangUp(call)
      }),
    }),
  ),
]
