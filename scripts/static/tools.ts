// Checks the JSON Schemas of the tool servers: their metadata and their examples. Checks each
// sample against the schema that its file name contains.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../generate/source.ts'
import type { AnyJson } from '../generate/openapi.ts'
import { readToolSchemas } from '../generate/tools.ts'
import { newAjv } from '../generate/validators.ts'
import type { ReportProblem } from './schemas.ts'

const samplesFolder = join(root, 'specs/examples/tools')

/** A sample. Its file is called `<schema>.<case>.json`. */
export interface SampleTool {
  schema: string
  file: string
  value: unknown
}

export function readSampleTools(): SampleTool[] {
  return readdirSync(samplesFolder)
    .sort()
    .map((file) => ({
      schema: file.split('.')[0]!,
      file,
      value: JSON.parse(readFileSync(join(samplesFolder, file), 'utf8')) as unknown,
    }))
}

export function checkTools(
  schemas: { [name: string]: AnyJson } = readToolSchemas(),
  samples = readSampleTools(),
): string[] {
  const problems: string[] = []
  const report: ReportProblem = (place, problem) => problems.push(`tools, ${place}: ${problem}`)
  const ajv = newAjv()
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.$schema !== 'https://json-schema.org/draft/2020-12/schema')
      report(name, 'has a $schema other than draft 2020-12')
    if (schema.$id !== `https://touchstone.example/tools/${name}.json`)
      report(name, `has an $id that does not match its file: ${schema.$id}`)
    if (schema.title !== name) report(name, 'has a title that is not its name')
    if (!schema.description) report(name, 'has no description')
    for (const [member, property] of Object.entries((schema.properties ?? {}) as AnyJson)) {
      if (!property.description && !property.$ref) report(name, `has no description of ${member}`)
    }
    if (!Array.isArray(schema.examples) || schema.examples.length === 0)
      report(name, 'has no example')
    if (!samples.some((each) => each.schema === name)) report(name, 'has no sample')
    ajv.addSchema(schema)
  }
  const judge = (place: string, name: string, value: unknown) => {
    try {
      const validate = ajv.getSchema(`https://touchstone.example/tools/${name}.json`)
      if (!validate) report(place, `the schema ${name} does not exist`)
      else if (!validate(value))
        report(place, ajv.errorsText(validate.errors, { separator: '; ', dataVar: '' }))
    } catch (error) {
      report(name, (error as Error).message)
    }
  }
  for (const [name, { examples = [] }] of Object.entries(schemas))
    (examples as unknown[]).forEach((value, index) =>
      judge(`${name}, example ${index + 1}`, name, value),
    )
  for (const { schema, file, value } of samples) judge(file, schema, value)
  return problems
}
