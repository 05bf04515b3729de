/** What a named expectation found. */
export interface Judgement {
  held: boolean
  expected: string
  received: string
}

/** Something that can be demanded of a subject (mostly an exchange). Names are unique within a check: the proof counts them. */
export interface Expectation<Subject> {
  readonly name: string
  judge(subject: Subject): Judgement
}

/** What a held expectation received. */
const asExpected = 'as expected'

/** An expectation from a test, with texts for the report. */
export function expectation<Subject>(
  name: string,
  expected: string,
  test: (subject: Subject) => boolean,
  received: (subject: Subject) => string,
): Expectation<Subject> {
  return {
    name,
    judge: (subject) => {
      const held = test(subject)
      // What was received is told where it differs: most expectations hold, and telling takes longer than testing.
      return { held, expected, received: held ? asExpected : received(subject) }
    },
  }
}

/** The same expectation under a longer name, for a check that uses it on several messages. */
export function on<Subject>(label: string, inner: Expectation<Subject>): Expectation<Subject> {
  return { name: `${label}: ${inner.name}`, judge: (subject) => inner.judge(subject) }
}
