import type { RequirementId } from '../../generated/requirements/index.ts'
import type { ReasonCode } from './verdict.ts'

/** Thrown to end a play early. None of these is an error: each is a verdict. */
export class Stop extends Error {}

/** An expectation broke: what follows would judge nonsense. */
export class Broken extends Stop {}

/** What the check builds on did not work; `root` is the requirement whose own check shows it. Without a reason: that requirement did not hold. */
export class Blocked extends Stop {
  readonly root: RequirementId
  readonly code: ReasonCode
  constructor(
    root: RequirementId,
    reason?: string,
    code: 'step-failed' | 'rate-limited' = 'step-failed',
  ) {
    super(reason ?? `${root} did not hold`)
    this.root = root
    this.code = reason === undefined ? 'root-failed' : code
  }
}

/** The target file does not give what the check needs, or the condition cannot be brought about. */
export class NotCovered<Need extends string = never> extends Stop {
  readonly needs: string[]
  readonly code: ReasonCode
  /** `needs` are paths of the target file, of the type that is named: `new NotCovered<ToolsNeed>(…)`. */
  constructor(reason: string, needs: readonly NoInfer<Need>[] = []) {
    super(reason)
    this.needs = [...needs]
    this.code = needs.length > 0 ? 'key-helps' : 'no-occasion'
  }
}

/** The run was called off before the check was through. */
export class CalledOff extends Stop {
  constructor() {
    super('the run was called off')
  }
}

/** The document lets the target be without it, and it is. */
export class NotApplicable extends Stop {}
