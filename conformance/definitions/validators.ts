import type { ValidationError, Validator } from '../../generated/contract.ts'
import type { InputSchema, ToolDefinition } from '../../generated/tools/documented/index.ts'
import { findingsOf } from './judge.ts'

/**
 * Returns whether a value is a valid definition of a tool. Applies the JSON Schema of definitions,
 * and the rules that a JSON Schema cannot state, such as those for fields behind references. If the
 * value is invalid, `validateToolDefinition.errors` lists the reasons. Warnings do not make a
 * definition invalid.
 *
 * @example
 * if (!validateToolDefinition(value)) console.error(validateToolDefinition.errors)
 */
export const validateToolDefinition = validatorOf<ToolDefinition>((value) => value, '$.tools[0]')

const anyTool = {
  name: 'any_tool_name',
  description: 'A tool.',
  annotations: {
    title: 'A tool',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}

/**
 * Returns whether a value is a valid input schema of a tool. Works like `validateToolDefinition`.
 *
 * @example
 * if (!validateInputSchema(value)) console.error(validateInputSchema.errors)
 */
export const validateInputSchema = validatorOf<InputSchema>(
  (value) => ({ ...anyTool, inputSchema: value }),
  '$.tools[0].inputSchema',
)

/**
 * Makes a validator for one part of a definition. `toTool` puts the part into a complete
 * definition. `path` is the JSON path of the part in this definition.
 */
function validatorOf<T>(toTool: (value: unknown) => unknown, path: string): Validator<T> {
  const validate: Validator<T> = (value): value is T => {
    const errors = findingsOf([toTool(value)]).filter(({ severity }) => severity === 'error')
    validate.errors =
      errors.length === 0
        ? null
        : errors.map(({ path: at, rule, problem }): ValidationError => ({
            instancePath: pointerOf(at.slice(path.length)),
            keyword: rule,
            params: {},
            message: problem,
          }))
    return errors.length === 0
  }
  return validate
}

/** Converts the end of a JSON path, such as `.properties['a b'].anyOf[0]`, to a JSON pointer. */
const pointerOf = (path: string): string =>
  [...path.matchAll(/\.([^.[]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g)]
    .map(([, name, index, quoted]) => name ?? index ?? quoted!.replaceAll(/\\(.)/g, '$1'))
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
