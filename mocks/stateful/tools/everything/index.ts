import type { Fixtures, RunnableTool } from '../call.ts'
import {
  audioContent,
  embeddedResource,
  errorHandling,
  imageContent,
  multipleContentTypes,
  simpleText,
} from './contents.ts'
import { everythingCapabilities, handleEverything } from './methods.ts'
import { toolWithLogging, toolWithProgress } from './notifications.ts'
import { elicitation, elicitationDefaults, elicitationEnums, sampling } from './questions.ts'
import { everythingContentAt, everythingResources, everythingTemplates } from './resources.ts'
import { jsonSchema } from './schema.ts'

/** The tools that the conformance tool of the MCP project calls. */
const tools: readonly RunnableTool[] = [
  simpleText,
  imageContent,
  audioContent,
  embeddedResource,
  multipleContentTypes,
  errorHandling,
  toolWithLogging,
  toolWithProgress,
  sampling,
  elicitation,
  elicitationDefaults,
  elicitationEnums,
  jsonSchema,
]

/** Everything that the conformance tool of the MCP project needs in a server. */
export const fixtures: Fixtures = {
  tools,
  // The conformance tool prescribes these choices.
  choices: Object.freeze({ dialect: '2020-12', progress: 'steps' }),
  capabilities: everythingCapabilities,
  resources: everythingResources,
  templates: everythingTemplates,
  contentAt: everythingContentAt,
  handle: handleEverything,
}
