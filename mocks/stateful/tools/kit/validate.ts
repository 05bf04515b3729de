import type { z } from 'zod'
import { isObject } from '../../http/body.ts'
import type { ToolsChoices } from '../choices.ts'
import type { ToolDescription } from '../description.ts'

/** Arguments with all defaults, or what is wrong with them: a sentence for each. */
export type Validated = { args: Record<string, unknown> } | { problems: readonly string[] }

export function validated(
  { input }: ToolDescription,
  given: unknown,
  { extraInput, strips }: ToolsChoices,
): Validated {
  if (!isObject(given)) return { problems: ['The arguments have to be an object'] }
  const model = extraInput === 'refused' ? strict(input) : input
  const found = model.safeParse(strips ? stripped(given) : given)
  if (found.success) return { args: found.data }
  return {
    problems: found.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    ),
  }
}

const stricts = new WeakMap<z.ZodObject, z.ZodObject>()

/** The same model without room for other members: made once, since making it takes longer than many a call. */
function strict(input: z.ZodObject): z.ZodObject {
  const made = stricts.get(input) ?? input.strict()
  stricts.set(input, made)
  return made
}

function stripped(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )
}
