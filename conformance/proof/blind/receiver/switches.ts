import { answerRules } from './answer-rules.ts'
import { choices } from './choices.ts'
import { tokenRules } from './token-rules.ts'
import type { Switch } from './types.ts'

export type { Switch } from './types.ts'

export const switches: readonly Switch[] = [...choices, ...tokenRules, ...answerRules].map(
  ({ name, kind, where, does }) => ({ name, kind, where, does }),
)
