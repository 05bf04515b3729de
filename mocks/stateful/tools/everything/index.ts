import type { RunnableTool } from '../call.ts'
import type { ToolsChoices } from '../choices.ts'
import {
  audioContent,
  embeddedResource,
  errorHandling,
  imageContent,
  multipleContentTypes,
  simpleText,
} from './contents.ts'
import { toolWithLogging, toolWithProgress } from './notifications.ts'
import { elicitation, elicitationDefaults, elicitationEnums, sampling } from './questions.ts'
import { jsonSchema } from './schema.ts'

/** The tools that the conformance tool of the MCP project calls. */
export const everythingTools: readonly RunnableTool[] = [
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

/** The choices that the conformance tool of the MCP project prescribes. */
export const everythingChoices: Readonly<Partial<ToolsChoices>> = Object.freeze({
  dialect: '2020-12',
  progress: 'steps',
})
