import { eventNames, type EventName } from '../../../generated/events/names.ts'
import { story } from '../../../generated/events/examples.ts'
import { namesOf, payloadOf, type PayloadOptions } from '../../../mocks/deliveries/payload.ts'
import { UsageError } from '../../complain.ts'
import { eventNamed } from '../deliveries/event.ts'

/** The options that say what is sent. */
export interface PlanOptions {
  action?: string
  set?: string[]
  seed?: string
  all?: boolean
  story?: boolean
  repeat?: string
}

/** A golden payload that is to be sent. */
export interface Step {
  event: EventName
  /** Its name; undefined for the one that shows most. */
  name?: string | undefined
  /** What happens in it, and when. */
  says?: { sentence: string; at: string }
}

/** What is sent, and in which form. */
export interface Plan {
  steps: readonly Step[]
  /** How often all of them. */
  times: number
  /** The body of a step in a round. */
  body(step: Step, round: number): string
}

/** Deliveries that one call sends at most. */
const most = 5_000_000

/** Finds out what is to be sent. Throws `UsageError` for what cannot be. */
export async function planOf(
  word: string | undefined,
  options: PlanOptions,
  times: number,
): Promise<Plan> {
  const steps = await stepsOf(word, options)
  if (steps.length * times > most)
    throw new UsageError(
      `--repeat ${times} makes ${steps.length * times} deliveries; ${most} are the most for one call`,
    )
  const seed = options.seed === undefined ? undefined : seedOf(options.seed)
  const made = new Map<Step, string>()
  const body = (step: Step, round: number) => {
    const known = made.get(step)
    if (known !== undefined) return known
    const text = JSON.stringify(
      payload(step, { seed: seed === undefined ? undefined : seed + round, set: options.set }),
    )
    // Only what is the same every time is worth keeping.
    if (seed === undefined) made.set(step, text)
    return text
  }
  // What is wrong with --set shows before anything is sent.
  for (const step of steps) payload(step, { set: options.set })
  return { steps, times, body }
}

async function stepsOf(
  word: string | undefined,
  { action, all = false, story: tell = false }: PlanOptions,
): Promise<Step[]> {
  if (tell && (word !== undefined || all || action !== undefined))
    throw new UsageError(
      '--story is a row of its own: it takes neither an event nor --action nor --all beside it',
    )
  if (tell)
    return story.deliveries.map(({ event, example, at, says }) => ({
      event,
      name: example,
      says: { sentence: says, at },
    }))
  if (word === undefined && !all)
    throw new UsageError(
      'which event? As in: touchstone emit push --to URL. --list shows what there is, --all sends everything, --story a row that belongs together',
    )
  const event = word === undefined ? undefined : (await eventNamed(word)).name
  if (all && action !== undefined)
    throw new UsageError(
      '--all sends every payload, --action one of them: leave one of the two out',
    )
  if (all)
    return (event === undefined ? eventNames : [event]).flatMap((each) =>
      namesOf(each).map((name) => ({ event: each, name })),
    )
  return [{ event: event!, name: action === undefined ? undefined : await named(event!, action) }]
}

async function named(event: EventName, action: string): Promise<string> {
  const names = namesOf(event)
  const found = names.find((name) => name === action.toLowerCase().replaceAll(/[_ ]/g, '-'))
  if (found !== undefined) return found
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const meant = nearest(action, names)
  throw new UsageError(
    `there is no payload of ${event} named ${action}.${meant === undefined ? '' : ` Did you mean ${meant}?`} Known: ${names.join(', ')}`,
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
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--seed has to be a whole number, not ${text}`)
  return Number(text)
}
