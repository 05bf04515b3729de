import { authentication } from './auth/index.ts'
import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { common } from './common.ts'
import { definitions } from './definitions.ts'
import { eliciting } from './eliciting.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { formats } from './formats.ts'
import { handshaking } from './handshaking.ts'
import { harm } from './harm.ts'
import { hints } from './hints.ts'
import { http } from './http.ts'
import { invalid } from './invalid.ts'
import { listing } from './listing.ts'
import { logging } from './logging.ts'
import { messages } from './messages.ts'
import { pagination } from './pagination.ts'
import { progress } from './progress.ts'
import { queries } from './query.ts'
import { resources } from './resources.ts'
import { sessions } from './sessions.ts'
import { stdio } from './stdio.ts'
import { transports } from './serving.ts'
import { truncation } from './truncation.ts'
import { unknown } from './unknown.ts'

/** Every check of a tool server: of the contracts tools and auth. */
export const checks = [
  ...transports,
  ...handshaking,
  ...listing,
  ...resources,
  ...messages,
  ...unknown,
  ...http,
  ...sessions,
  ...events,
  ...stdio,
  ...clients,
  ...harm,
  ...definitions,
  ...calls,
  ...common,
  ...queries,
  ...hints,
  ...invalid,
  ...pagination,
  ...truncation,
  ...formats,
  ...errors,
  ...progress,
  ...logging,
  ...eliciting,
  ...authentication,
]
