import type { z } from 'zod'
import { isObject } from '../../http/body.ts'
import type { ToolsChoices } from '../choices.ts'
import type { ToolDescription } from '../description.ts'

/** The arguments with all defaults, or a sentence about each problem. */
export type ValidationResult = { args: Record<string, unknown> } | { problems: readonly string[] }

export function validateInput(
  tool: ToolDescription,
  input: unknown,
  { extraInput, trimsStrings }: ToolsChoices,
): ValidationResult {
  if (!isObject(input)) return { problems: ['The arguments must be an object'] }
  const model = extraInput === 'refused' ? strictModelOf(tool.input) : tool.input
  const result = model.safeParse(trimsStrings ? trimStrings(input) : input)
  if (result.success) return { args: result.data }
  return {
    problems: result.error.issues
      .slice(0, maxProblems)
      .map(({ path, message }) =>
        shortened(path.length === 0 ? message : `${path.join('.')}: ${message}`),
      ),
  }
}

/** The problems that are reported, and the length of each. Names of fields come from the client. */
const maxProblems = 20
const maxProblemCharacters = 300

const shortened = (text: string): string =>
  text.length <= maxProblemCharacters ? text : `${text.slice(0, maxProblemCharacters - 1)}…`

const strictModels = new WeakMap<z.ZodObject, z.ZodObject>()

/**
 * Returns the same model, except that it refuses unknown members. The models are cached, because
 * creating one is slower than validating many calls.
 */
function strictModelOf(input: z.ZodObject): z.ZodObject {
  const model = strictModels.get(input) ?? input.strict()
  strictModels.set(input, model)
  return model
}

function trimStrings(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )
}
