import { apiChoices } from './choices-api.ts'
import { payloadChoices } from './choices-payload.ts'
import type { Rewrite, Switch } from './types.ts'
import { apiViolations } from './violations-api.ts'
import { ciViolations } from './violations-ci.ts'
import { moreViolations } from './violations-more.ts'
import { pushViolations } from './violations-push.ts'
import { ticketViolations } from './violations-ticket.ts'

export type { Switch } from './types.ts'

export const rewrites: readonly Rewrite[] = [
  ...payloadChoices,
  ...pushViolations,
  ...ticketViolations,
  ...ciViolations,
  ...moreViolations,
]

export const switches: readonly Switch[] = [...apiChoices, ...rewrites, ...apiViolations].map(
  ({ name, kind, where, does }) => ({ name, kind, where, does }),
)
