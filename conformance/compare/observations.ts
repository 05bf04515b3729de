import type { Verdict } from '../engine/index.ts'

/**
 * Matches values that differ between two runs of the same server: generated ids, times, ports,
 * durations and sizes of generated content. Does not match statuses, which have three digits.
 */
const generated =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|(?<![\w.+-])(?=[\w.+/=-]*\d)(?=[\w.+/=-]*[a-zA-Z])[\w.+/=-]{16,}|\d[\d.]* ?(?:ms|s|seconds)\b|\d{4,}/g

/** The observations of a verdict without generated values, as one string to compare. */
export function comparableObservations({ observations = [] }: Verdict): string {
  return observations
    .map((observation) =>
      withoutNames(observation)
        .replace(generated, '#')
        // A long response is cut at a fixed length, so its last characters depend on the lengths of
        // the ids in it.
        .replace(/.{0,40}…$/, '…'),
    )
    .join('\n')
}

/** Masks the name that the suite generated, in the observation of GRT-RESPONSE-03. */
function withoutNames(observation: string): string {
  const name = /^the greeting for ([^:]+): /.exec(observation)?.[1]
  return name === undefined ? observation : observation.replaceAll(name, '#')
}
