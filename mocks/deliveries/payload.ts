import { exampleOf, examples } from '../../generated/events/examples.ts'
import type { EventName } from './events.ts'
import { moveToProject } from './project.ts'
import { renew, type Seed } from './renew.ts'
import { withValue } from './set.ts'

export type Payload = Record<string, unknown>

export interface PayloadOptions {
  /**
   * The name of the sample payload (an example in specs/examples): an action, a state or a
   * situation. By default, the payload with the most fields is used.
   */
  name?: string | undefined
  /**
   * If set, the payload gets new ids, commit ids and timestamps. The same seed results in the same
   * payload. Without a seed, the sample payload stays as it is.
   */
  seed?: Seed | undefined
  /** Fields to set after all other changes, each as `path=value`. */
  set?: readonly string[] | undefined
  /** The id of the project, in place of the id in the sample payload. */
  project?: number | undefined
}

/** For each event, the sample payload with the most fields. */
const defaultNames: Readonly<Record<EventName, string>> = {
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

/**
 * Returns a payload of an event as a new deep copy. Throws if there is no sample payload with that
 * name.
 */
export function payloadOf(
  event: EventName,
  { name, seed, set = [], project }: PayloadOptions = {},
): Payload {
  const example = exampleOf(event, name ?? defaultNames[event])
  if (example === undefined)
    throw new Error(
      `there is no example of ${event} named ${name ?? defaultNames[event]}. Known: ${exampleNames(event).join(', ')}`,
    )
  let payload: Payload = example.payload
  if (seed !== undefined) renew(payload, seed)
  if (project !== undefined) moveToProject(payload, project)
  for (const assignment of set) payload = withValue(payload, assignment)
  return payload
}

/** The names of an event's sample payloads. */
export function exampleNames(event: EventName): string[] {
  return examples.filter((example) => example.event === event).map(({ name }) => name)
}
