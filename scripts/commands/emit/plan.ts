import { eventNames, type EventName } from '../../../generated/events/names.ts'
import { story } from '../../../generated/events/examples.ts'
import { exampleNames, payloadOf, type PayloadOptions } from '../../../mocks/deliveries/payload.ts'
import { UsageError } from '../../print-error.ts'
import { findEvent } from '../deliveries/event.ts'

/** The options that select the payloads. */
export interface PlanOptions {
  action?: string
  set?: string[]
  seed?: string
  all?: boolean
  story?: boolean
  repeat?: string
}

/** A sample payload to send. */
export interface Step {
  event: EventName
  /** The name of the payload. By default, the payload of the event with the most fields. */
  name?: string | undefined
  /** Only in a story: what happens, and when. */
  caption?: { sentence: string; at: string }
}

/** The deliveries to send. */
export interface Plan {
  steps: readonly Step[]
  /** How many times all steps are sent. */
  times: number
  /** Returns the body of a step. `round` counts the repetitions of all steps, from 0. */
  body(step: Step, round: number): string
}

/** The largest number of deliveries that one call of the command sends. */
const maxDeliveries = 5_000_000

/** Builds the plan from the options. Throws `UsageError`. */
export async function buildPlan(
  word: string | undefined,
  options: PlanOptions,
  times: number,
): Promise<Plan> {
  const steps = await stepsOf(word, options)
  if (steps.length * times > maxDeliveries)
    throw new UsageError(
      `--repeat ${times} results in ${steps.length * times} deliveries; the maximum is ${maxDeliveries}`,
    )
  const seed = options.seed === undefined ? undefined : seedOf(options.seed)
  const bodies = new Map<Step, string>()
  const body = (step: Step, round: number) => {
    const known = bodies.get(step)
    if (known !== undefined) return known
    const text = JSON.stringify(
      payload(step, { seed: seed === undefined ? undefined : seed + round, set: options.set }),
    )
    // With a seed, every round has a different body, so it is not stored.
    if (seed === undefined) bodies.set(step, text)
    return text
  }
  // Reports errors in --set before anything is sent.
  for (const step of steps) payload(step, { set: options.set })
  return { steps, times, body }
}

async function stepsOf(
  word: string | undefined,
  { action, all = false, story: isStory = false }: PlanOptions,
): Promise<Step[]> {
  if (isStory && (word !== undefined || all || action !== undefined))
    throw new UsageError(
      '--story sends a fixed sequence: it cannot be combined with an event, --action or --all',
    )
  if (isStory)
    return story.deliveries.map(({ event, example, at, summary }) => ({
      event,
      name: example,
      caption: { sentence: summary, at },
    }))
  if (word === undefined && !all)
    throw new UsageError(
      'no event. Example: touchstone emit push --to URL. --list prints what can be sent, --all sends everything, --story sends a sequence of related deliveries',
    )
  const event = word === undefined ? undefined : (await findEvent(word)).name
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

function payload({ event, name }: Step, options: PayloadOptions): object {
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
