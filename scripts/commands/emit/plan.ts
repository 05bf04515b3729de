import { eventNames, type EventName } from '../../../generated/events/names.ts'
import { story } from '../../../generated/events/examples.ts'
import { headersOf, type Header } from '../../../mocks/deliveries/headers.ts'
import { exampleNames, payloadOf, type PayloadOptions } from '../../../mocks/deliveries/payload.ts'
import { UsageError } from '../../print-error.ts'
import { findEvent, isConfidentialIssue } from '../deliveries/event.ts'

/** The options that select the payloads. */
export interface PlanOptions {
  action?: string
  set?: string[]
  seed?: string
  all?: boolean
  story?: boolean
  repeat?: string
}

/** A sample payload or a saved delivery to send. */
export interface Step {
  /** Undefined for a saved delivery of an unknown event. */
  event?: EventName
  /** The name of the sample payload; undefined for the one with the most fields. */
  name?: string | undefined
  /** Only for a saved delivery: its file, and its position if the file contains several. */
  file?: string
  /** Only for a saved delivery: its method, if it is known. */
  method?: string
  /** Only for a saved delivery: when it was received, in milliseconds since the epoch. */
  receivedAt?: number
  /** Only for a saved delivery: the names of headers whose values were not saved. */
  headersNotSaved?: readonly string[]
  /** Only in a story: what happens, and when. */
  caption?: { sentence: string; at: string }
}

/** The deliveries to send. */
export interface Plan {
  steps: readonly Step[]
  /** How many times all steps are sent. */
  times: number
  /** Whether each delivery waits for the response to the previous one, even in several rounds. */
  isOrdered: boolean
  /** Returns the request of a step. `round` counts the repetitions of all steps, from 0. */
  request(step: Step, round: number, token: string | undefined): OutgoingRequest
}

/** A request as it is sent, except for headers such as Host. */
export interface OutgoingRequest {
  /** POST by default. */
  method?: string
  headers: readonly Header[]
  body: string | Uint8Array
}

/** A sample payload to send. */
export interface SampleStep extends Step {
  event: EventName
}

/** A plan whose payloads can be printed. */
export interface SamplePlan extends Plan {
  steps: readonly SampleStep[]
  body(step: SampleStep, round: number): string
}

/** The largest number of deliveries that one call of the command sends. */
const maxDeliveries = 5_000_000

/** Builds the plan from the options. Throws `UsageError`. */
export async function buildPlan(
  word: string | undefined,
  options: PlanOptions,
  times: number,
): Promise<SamplePlan> {
  const steps = await stepsOf(word === undefined ? undefined : findEvent(word).name, options)
  const set = [
    ...(word !== undefined && isConfidentialIssue(word)
      ? ['object_attributes.confidential=true']
      : []),
    ...(options.set ?? []),
  ]
  if (steps.length * times > maxDeliveries)
    throw new UsageError(
      `--repeat ${times} results in ${steps.length * times} deliveries; the maximum is ${maxDeliveries}`,
    )
  const seed = options.seed === undefined ? undefined : seedOf(options.seed)
  const bodies = new Map<Step, string>()
  const body = (step: SampleStep, round: number) => {
    const known = bodies.get(step)
    if (known !== undefined) return known
    const text = JSON.stringify(
      payload(step, { seed: seed === undefined ? undefined : seed + round, set }),
    )
    // With a seed, every round has a different body, so it is not stored.
    if (seed === undefined) bodies.set(step, text)
    return text
  }
  // Reports errors in --set before anything is sent.
  for (const step of steps) payload(step, { set })
  return {
    steps,
    times,
    isOrdered: options.story === true,
    body,
    request: (step, round, token) => {
      const sample = step as SampleStep
      return { headers: headersOf({ event: sample.event, token }), body: body(sample, round) }
    },
  }
}

async function stepsOf(
  event: EventName | undefined,
  { action, all = false, story: isStory = false }: PlanOptions,
): Promise<SampleStep[]> {
  if (isStory && (event !== undefined || all || action !== undefined))
    throw new UsageError(
      '--story sends a fixed sequence: it cannot be combined with an event, --action or --all',
    )
  if (isStory)
    return story.deliveries.map(({ event, example, at, summary }) => ({
      event,
      name: example,
      caption: { sentence: summary, at },
    }))
  if (event === undefined && !all)
    throw new UsageError(
      'no event. Example: npx touchstone emit push --to URL. --list prints what can be sent, --all sends everything, --story sends a sequence of related deliveries, --file sends saved deliveries',
    )
  if (all && action !== undefined)
    throw new UsageError('--all sends every payload, --action one of them: remove one of the two')
  if (all)
    return (event === undefined ? eventNames : [event]).flatMap((each) =>
      exampleNames(each).map((name) => ({ event: each, name })),
    )
  return [
    { event: event!, name: action === undefined ? undefined : await findPayload(event!, action) },
  ]
}

async function findPayload(event: EventName, action: string): Promise<string> {
  const names = exampleNames(event)
  const found = names.find((name) => name === action.toLowerCase().replaceAll(/[_ ]/g, '-'))
  if (found !== undefined) return found
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const suggestion = nearest(action, names)
  throw new UsageError(
    `${event} has no payload named ${action}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`} Known: ${names.join(', ')}`,
  )
}

function payload({ event, name }: SampleStep, options: PayloadOptions): object {
  try {
    return payloadOf(event, { name, ...options })
  } catch (error) {
    throw new UsageError(
      `--set, in ${event}${name === undefined ? '' : ` ${name}`}: ${(error as Error).message}. --print shows the payload`,
    )
  }
}

function seedOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--seed must be a whole number, not ${text}`)
  return Number(text)
}
