/** What a named expectation found. */
interface Judgement {
  held: boolean
  expected: string
  received: string
}

/** Something that is required of a subject (mostly an exchange). */
export interface Expectation<Subject> {
  /** Unique within a check: the proof counts them. */
  readonly name: string
  readonly expected: string
  readonly test: (subject: Subject) => boolean
  /** What came instead; by default the subject's `summary`. */
  readonly received?: (subject: Subject) => string
}

/** What a held expectation received. */
const asExpected = 'as expected'

/** Judges a subject. What it received is computed only if the test fails: most tests hold, and a text takes longer than a test. */
export function judge<Subject>(
  { expected, test, received = summaryOf }: Expectation<Subject>,
  subject: Subject,
): Judgement {
  const held = test(subject)
  return { held, expected, received: held ? asExpected : received(subject) }
}

/** What a subject says of itself in one line; its JSON if it says nothing. */
function summaryOf(subject: unknown): string {
  const { summary } = Object(subject) as { summary?: unknown }
  return typeof summary === 'string' ? summary : (JSON.stringify(subject) ?? String(subject))
}

/** An expectation of one subject, to be judged together with those of other subjects. */
export function of<Subject>(subject: Subject, inner: Expectation<Subject>): Expectation<unknown> {
  return {
    ...inner,
    test: () => inner.test(subject),
    received: () => judge(inner, subject).received,
  }
}

/** The same expectation under a longer name, for a check that uses it on several messages. */
export function on<Subject>(label: string, inner: Expectation<Subject>): Expectation<Subject> {
  return { ...inner, name: `${label}: ${inner.name}` }
}
