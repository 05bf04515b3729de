// Checks the JSON Schemas of the tool servers: what they tell those who use them, and the golden examples by the schema that each is named for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../generate/house.ts'
import type { AnyJson } from '../generate/openapi.ts'
import { readToolSchemas } from '../generate/tools.ts'
import { newAjv } from '../generate/validators.ts'
import type { Say } from './schemas.ts'

const goldenFolder = join(root, 'specs/examples/tools')

/** A golden example; its file is called `<schema>.<what it shows>.json`. */
export interface GoldenTool {
  schema: string
  file: string
  value: unknown
}

export function readGoldenTools(): GoldenTool[] {
  return readdirSync(goldenFolder)
    .sort()
    .map((file) => ({
      schema: file.split('.')[0]!,
      file,
      value: JSON.parse(readFileSync(join(goldenFolder, file), 'utf8')) as unknown,
    }))
}

export function checkTools(
  schemas: { [name: string]: AnyJson } = readToolSchemas(),
  golden = readGoldenTools(),
): string[] {
  const problems: string[] = []
  const say: Say = (place, problem) => problems.push(`tools, ${place}: ${problem}`)
  const ajv = newAjv()
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.$schema !== 'https://json-schema.org/draft/2020-12/schema')
      say(name, 'does not say that it is of 2020-12')
    if (schema.$id !== `https://touchstone.example/tools/${name}.json`)
      say(name, `has another $id than its place: ${schema.$id}`)
    if (schema.title !== name) say(name, 'is not titled by its name')
    if (!schema.description) say(name, 'has no description')
    for (const [member, property] of Object.entries((schema.properties ?? {}) as AnyJson)) {
      if (!property.description && !property.$ref) say(name, `does not describe ${member}`)
    }
    if (!Array.isArray(schema.examples) || schema.examples.length === 0) say(name, 'has no example')
    if (!golden.some((each) => each.schema === name)) say(name, 'has no golden example')
    ajv.addSchema(schema)
  }
  const judge = (place: string, name: string, value: unknown) => {
    try {
      const validate = ajv.getSchema(`https://touchstone.example/tools/${name}.json`)
      if (!validate) say(place, `there is no schema ${name}`)
      else if (!validate(value))
        say(place, ajv.errorsText(validate.errors, { separator: '; ', dataVar: '' }))
    } catch (error) {
      say(name, (error as Error).message)
    }
  }
  for (const [name, { examples = [] }] of Object.entries(schemas))
    (examples as unknown[]).forEach((value, index) =>
      judge(`${name}, example ${index + 1}`, name, value),
    )
  for (const { schema, file, value } of golden) judge(file, schema, value)
  return problems
}
