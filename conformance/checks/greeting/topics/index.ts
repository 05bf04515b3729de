import { authenticationChecks } from './authentication.ts'
import { connectionChecks } from './connection.ts'
import { limitsChecks } from './limits.ts'
import { methodChecks } from './method.ts'
import { pairsChecks } from './pairs.ts'
import { pausesChecks } from './pauses.ts'
import { protocolChecks } from './protocol.ts'
import { requestsChecks } from './requests.ts'
import { responsesChecks } from './responses.ts'
import { streamsChecks } from './streams.ts'
import { timesChecks } from './times.ts'
import { greetingsChecks } from './greetings.ts'

/** All checks of the greeting contract. The engine orders them as in the catalogue. */
export const checks = [
  ...streamsChecks,
  ...requestsChecks,
  ...responsesChecks,
  ...timesChecks,
  ...greetingsChecks,
  ...methodChecks,
  ...pairsChecks,
  ...authenticationChecks,
  ...limitsChecks,
  ...protocolChecks,
  ...connectionChecks,
  ...pausesChecks,
]
