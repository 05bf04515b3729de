import type { RequirementId } from '../../generated/requirements/index.ts'

/** Thrown to end a play early. None of these is an error: each is a verdict. */
export class Stop extends Error {}

/** An expectation broke: what follows would judge nonsense. */
export class Broken extends Stop {}

/** What the check builds on did not work; `root` is the requirement whose own check shows it. */
export class Blocked extends Stop {
  readonly root: RequirementId
  constructor(root: RequirementId, reason: string) {
    super(reason)
    this.root = root
  }
}

/** The target file does not give what the check needs, or the condition cannot be brought about. */
export class NotCovered<Need extends string = never> extends Stop {
  readonly needs: string[]
  /** `needs` are paths of the target file, of the type that is named: `new NotCovered<ToolsNeed>(…)`. */
  constructor(reason: string, needs: readonly NoInfer<Need>[] = []) {
    super(reason)
    this.needs = [...needs]
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
