import { shorten } from './shorten.ts'

/** The result of an expectation. */
interface Judgement {
  name: string
  held: boolean
  expected: string
  received: string
}

/** A condition that a subject must meet. The subject is the tested value, usually an exchange. */
export interface Expectation<Subject> {
  /** Unique within a check: conformance/proof identifies expectations by check and name. */
  readonly name: string
  readonly expected: string
  readonly test: (subject: Subject) => boolean
  /** What was received instead; by default the subject's `summary`. */
  readonly received?: (subject: Subject) => string
}

/** The `received` of an expectation that held. */
const asExpected = 'as expected'

/** Tests a subject. `received` is computed only if the test fails, which is rare. */
export function judge<Subject>(
  { name, expected, test, received = summaryOf }: Expectation<Subject>,
  subject: Subject,
): Judgement {
  const held = test(subject)
  return {
    name: shorten(name),
    held,
    expected: shorten(expected),
    received: held ? asExpected : shorten(received(subject)),
  }
}

/** The subject's `summary`, or its JSON if it has none. */
function summaryOf(subject: unknown): string {
  const { summary } = Object(subject) as { summary?: unknown }
  return typeof summary === 'string' ? summary : (JSON.stringify(subject) ?? String(subject))
}

/**
 * Binds an expectation to its subject, so that expectations of several subjects can be judged
 * together.
 */
export function ofValue<Subject>(
  subject: Subject,
  expectation: Expectation<Subject>,
): Expectation<unknown> {
  return {
    ...expectation,
    test: () => expectation.test(subject),
    received: () => judge(expectation, subject).received,
  }
}

/** Adds a label to the name of an expectation, for a check that uses it on several messages. */
export function labelled<Subject>(
  label: string,
  expectation: Expectation<Subject>,
): Expectation<Subject> {
  return { ...expectation, name: `${label}: ${expectation.name}` }
}
