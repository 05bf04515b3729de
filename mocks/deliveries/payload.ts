import { exampleOf, examples } from '../../generated/events/examples.ts'
import type { EventName } from './events.ts'
import { inProject } from './project.ts'
import { renew, type Seed } from './renew.ts'
import { withSet } from './set.ts'

export type Payload = Record<string, unknown>

export interface PayloadOptions {
  /** Which golden payload of the event: an action, a state or a situation. Without it, the one that shows most. */
  name?: string | undefined
  /** Makes a happening of its own of it: the same seed the same one. Without a seed the golden payload stays as it is. */
  seed?: Seed | undefined
  /** Places that are set last, each as `path=value`. */
  set?: readonly string[] | undefined
  /** The id of the project in which it happens. */
  project?: number | undefined
}

/** For each event the golden payload in which most members are filled. */
const typical: Readonly<Record<EventName, string>> = {
  push: 'commits',
  tag_push: 'create',
  issue: 'update',
  merge_request: 'update',
  pipeline: 'success-merge-request',
  job: 'success-environment',
  deployment: 'success',
  wiki_page: 'update',
  release: 'update',
}

/** A payload of an event, deep and fresh: whoever gets it may change it. Throws where there is no golden payload of that name. */
export function payloadOf(
  event: EventName,
  { name, seed, set = [], project }: PayloadOptions = {},
): Payload {
  const example = exampleOf(event, name ?? typical[event])
  if (example === undefined)
    throw new Error(
      `there is no example of ${event} named ${name ?? typical[event]}. Known: ${namesOf(event).join(', ')}`,
    )
  let payload: Payload = example.payload
  if (seed !== undefined) renew(payload, seed)
  if (project !== undefined) inProject(payload, project)
  for (const assignment of set) payload = withSet(payload, assignment)
  return payload
}

/** The names of an event's golden payloads. */
export function namesOf(event: EventName): string[] {
  return examples.filter((example) => example.event === event).map(({ name }) => name)
}
