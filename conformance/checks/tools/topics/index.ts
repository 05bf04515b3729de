import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { common } from './common-inputs.ts'
import { definitions } from './definitions.ts'
import { eliciting } from './elicitation.ts'
import { errors } from './errors.ts'
import { events } from './sse.ts'
import { formats } from './formats.ts'
import { handshaking } from './initialize.ts'
import { harm } from './malformed-messages.ts'
import { hints } from './hints.ts'
import { http } from './http.ts'
import { invalid } from './invalid-input.ts'
import { listing } from './tool-list.ts'
import { logging } from './logging.ts'
import { messages } from './json-rpc.ts'
import { pagination } from './pagination.ts'
import { progress } from './progress.ts'
import { queries } from './queries.ts'
import { resources } from './resources.ts'
import { sessions } from './sessions.ts'
import { stdio } from './stdio.ts'
import { transports } from './transports.ts'
import { truncation } from './truncation.ts'
import { unknown } from './unknown-methods.ts'

/** All checks of the contract `tools`. */
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
]
