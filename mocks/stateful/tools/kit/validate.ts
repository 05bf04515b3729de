import type { z } from 'zod'
import { isObject } from '../../http/body.ts'
import type { ToolsChoices } from '../choices.ts'
import type { ToolDescription } from '../description.ts'

/** The arguments with all defaults, or a sentence about each problem. */
export type ValidationResult = { args: Record<string, unknown> } | { problems: readonly string[] }

export function validateInput(
  { input }: ToolDescription,
  given: unknown,
  { extraInput, strips }: ToolsChoices,
): ValidationResult {
  if (!isObject(given)) return { problems: ['The arguments must be an object'] }
  const model = extraInput === 'refused' ? strict(input) : input
  const found = model.safeParse(strips ? trimStrings(given) : given)
  if (found.success) return { args: found.data }
  return {
    problems: found.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    ),
  }
}

const strictModels = new WeakMap<z.ZodObject, z.ZodObject>()

/**
 * The same model without unknown members. Cached, because making it takes longer than many calls.
 */
function strict(input: z.ZodObject): z.ZodObject {
  const made = strictModels.get(input) ?? input.strict()
  strictModels.set(input, made)
  return made
}

function trimStrings(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )
}
