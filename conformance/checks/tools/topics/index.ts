import { batchesChecks } from './batches.ts'
import { callsChecks } from './calls.ts'
import { capabilitiesChecks } from './capabilities.ts'
import { clientsChecks } from './clients.ts'
import { commonInputsChecks } from './common-inputs.ts'
import { definitionsChecks } from './definitions.ts'
import { elicitationChecks } from './elicitation.ts'
import { errorsChecks } from './errors.ts'
import { sseChecks } from './sse.ts'
import { formatsChecks } from './formats.ts'
import { jsonFormatChecks } from './json-format.ts'
import { initializeChecks } from './initialize.ts'
import { malformedMessagesChecks } from './malformed-messages.ts'
import { hintsChecks } from './hints.ts'
import { httpChecks } from './http.ts'
import { invalidInputChecks } from './invalid-input.ts'
import { toolListChecks } from './tool-list.ts'
import { loggingChecks } from './logging.ts'
import { jsonRpcChecks } from './json-rpc.ts'
import { paginationChecks } from './pagination.ts'
import { progressChecks } from './progress.ts'
import { queriesChecks } from './queries.ts'
import { resourcesChecks } from './resources.ts'
import { sessionsChecks } from './sessions.ts'
import { stdioChecks } from './stdio.ts'
import { streamsChecks } from './streams.ts'
import { subscriptionsChecks } from './subscriptions.ts'
import { transportChecks } from './transports.ts'
import { truncationChecks } from './truncation.ts'
import { unknownToolsChecks } from './unknown-tools.ts'

/** All checks of the contract `tools`. */
export const checks = [
  ...transportChecks,
  ...initializeChecks,
  ...capabilitiesChecks,
  ...toolListChecks,
  ...resourcesChecks,
  ...subscriptionsChecks,
  ...jsonRpcChecks,
  ...batchesChecks,
  ...unknownToolsChecks,
  ...httpChecks,
  ...sessionsChecks,
  ...streamsChecks,
  ...sseChecks,
  ...stdioChecks,
  ...clientsChecks,
  ...malformedMessagesChecks,
  ...definitionsChecks,
  ...callsChecks,
  ...commonInputsChecks,
  ...queriesChecks,
  ...hintsChecks,
  ...invalidInputChecks,
  ...paginationChecks,
  ...truncationChecks,
  ...formatsChecks,
  ...jsonFormatChecks,
  ...errorsChecks,
  ...progressChecks,
  ...loggingChecks,
  ...elicitationChecks,
]
