import type { RequirementId } from '../../generated/requirements/index.ts'
import { shorten } from './shorten.ts'
import type { ReasonCode } from './verdict.ts'

/** Thrown to end a check early. Subclasses are not errors of the suite: each becomes a verdict. */
export class EndOfCheck extends Error {
  constructor(message: string) {
    super(shorten(message))
  }
}

/** An expectation was not met, so that the rest of the check would be meaningless. */
export class Broken extends EndOfCheck {}

/** A step that the check depends on failed. `root` is the requirement that covers this step. */
export class Blocked extends EndOfCheck {
  readonly root: RequirementId
  readonly code: ReasonCode
  /** What was expected instead of `reason`. Reported if `root` is the check's requirement. */
  readonly expected: string | undefined
  constructor(root: RequirementId, reason?: string, expected?: string) {
    super(reason ?? `${root} is not met`)
    this.root = root
    this.code = reason === undefined ? 'root-failed' : 'step-failed'
    this.expected = expected
  }
}

/**
 * The target file does not contain a key that the check needs, or the check cannot create the
 * situation that it tests.
 */
export class NotCovered<Need extends string = never> extends EndOfCheck {
  readonly needs: string[]
  readonly code: ReasonCode
  /** `needs` are keys of the target file. Name their type: `new NotCovered<ToolsNeed>(…)`. */
  constructor(
    reason: string,
    needs: readonly NoInfer<Need>[] = [],
    code: ReasonCode = needs.length > 0 ? 'key-helps' : 'no-occasion',
  ) {
    super(reason)
    this.needs = [...needs]
    this.code = code
  }
}

/** The target still returns 429 after the longest total pause that the target file allows. */
export class RateLimited extends NotCovered<string> {
  constructor(operation: string) {
    super(
      `${operation} returned 429, and the run has already waited for as long as suite.rateLimitWait allows`,
      ['suite.rateLimitWait'],
      'rate-limited',
    )
  }
}

/** The target refuses connections, or no longer responds. `reason` is one line for people. */
export class Unreachable extends NotCovered {
  constructor(reason: string) {
    super(reason, [], 'unreachable')
  }
}

/** The run was cancelled before the check had ended. */
export class Cancelled extends EndOfCheck {
  constructor() {
    super('the run was cancelled')
  }
}

/** The requirement is about an optional feature that the target does not have. */
export class NotApplicable extends EndOfCheck {}
