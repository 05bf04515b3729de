import type { RequirementId } from '../../generated/requirements/index.ts'
import type { ReasonCode } from './verdict.ts'

/** Thrown to end a check early. None of these is an error: each becomes a verdict. */
export class EndOfCheck extends Error {}

/** An expectation was not met, so that the rest of the check would be meaningless. */
export class Broken extends EndOfCheck {}

/** Something that the check depends on failed. `root` is the requirement that covers it. */
export class Blocked extends EndOfCheck {
  readonly root: RequirementId
  readonly code: ReasonCode
  constructor(root: RequirementId, reason?: string) {
    super(reason ?? `${root} is not met`)
    this.root = root
    this.code = reason === undefined ? 'root-failed' : 'step-failed'
  }
}

/**
 * The target file does not contain what the check needs, or the check cannot create the condition
 * that it is about.
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

/** The target still returns 429 after all the pauses that the run may make. */
export class RateLimited extends NotCovered<string> {
  constructor(operation: string) {
    super(
      `${operation} returned 429, and the run has waited as long as it may because of rate limits`,
      ['suite.rateLimitWait'],
      'rate-limited',
    )
  }
}

/** The target refuses connections. `reason` is one line for people. */
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
