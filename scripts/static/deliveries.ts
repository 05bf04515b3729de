// Checks the AsyncAPI document of the deliveries, and the sample payloads against its schemas.
import { fromFile, Parser } from '@asyncapi/parser'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { fieldsOf } from '../generate/fields.ts'
import { root } from '../generate/source.ts'
import { resolve, type AnyJson } from '../generate/openapi.ts'
import { newAjv } from '../generate/validators.ts'
import { checkSchemas, newSchemaValidator } from './schemas.ts'

const schemaFolder = join(root, 'specs/asyncapi/components/schemas')
const samplesFolder = join(root, 'specs/examples/events')

/**
 * Checks rules that the AsyncAPI parser does not check. `hooks` is the OpenAPI document of the hook
 * API, which declares the flags that enable the deliveries.
 */
export function checkDeliveries(
  document: AnyJson,
  hooks: AnyJson,
  requirementIds: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  const report = (place: string, problem: string) => problems.push(`events, ${place}: ${problem}`)
  checkSchemas(document, requirementIds, report, newSchemaValidator(document, report))
  const headers = new Map<unknown, string>()
  for (const [channel, { messages }] of Object.entries(document.channels as AnyJson)) {
    for (const [name, given] of Object.entries(messages as AnyJson)) {
      const message = resolve<AnyJson>(document, given as AnyJson)
      const fields = (what: string, schema: AnyJson) => {
        try {
          return fieldsOf(document, schema)
        } catch (error) {
          report(`${name}, ${what}`, (error as Error).message)
          return []
        }
      }
      if (message.name !== name) report(name, 'has a name that is not its key')
      if (!message.title) report(name, 'has no title')
      if (message.contentType !== 'application/json')
        report(name, 'has a content type other than application/json')
      if (!message['x-requirement']) report(name, 'has no x-requirement')
      if (!(message['x-flag'] in hooks.components.schemas.HookInput.properties))
        report(name, `${message['x-flag']} is not a flag of a hook`)
      const header = fields('headers', {
        'x-requirement': message['x-requirement'],
        ...message.headers,
      }).find(({ path }) => path === '/X-Hook-Event')?.schema.const
      if (header === undefined) report(name, 'has no constant value of X-Hook-Event')
      else if (headers.has(header))
        report(name, `has the same X-Hook-Event as ${headers.get(header)}`)
      headers.set(header, name)
      if (
        !fields('payload', message.payload).some(
          ({ path, schema }) => path === '/object_kind' && 'const' in schema,
        )
      )
        report(name, 'has no constant value of object_kind')
      for (const action of ['send', 'receive']) {
        const ref = `#/channels/${channel}/messages/${name}`
        if (
          !Object.values(document.operations as AnyJson).some(
            (operation) =>
              operation.action === action &&
              ((operation.messages ?? []) as AnyJson[]).some(({ $ref }) => $ref === ref),
          )
        )
          report(name, `has no ${action} operation`)
      }
    }
  }
  return problems
}

export interface Sample {
  event: string
  file: string
  payload: unknown
}

export function readSamples(): Sample[] {
  return readdirSync(samplesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: event }) =>
      readdirSync(join(samplesFolder, event)).map((file) => ({
        event,
        file: `${event}/${file}`,
        payload: JSON.parse(readFileSync(join(samplesFolder, event, file), 'utf8')) as unknown,
      })),
    )
}

/**
 * Checks that each event has a sample payload, and that all sample payloads are valid. Compiles the
 * schemas from their own files, not from the bundled document.
 */
export function checkSamples(samples: Sample[]): string[] {
  const problems: string[] = []
  const ajv = newAjv({ strict: false })
  const payloads = new Map<string, string>() // event -> $ref of its schema
  const files = new Map<string, string>() // schema -> its file
  for (const file of readdirSync(schemaFolder).sort()) {
    const schemas = parse(readFileSync(join(schemaFolder, file), 'utf8')) as AnyJson
    ajv.addSchema({ $id: `https://touchstone.example/${file}`, ...schemas })
    for (const name of Object.keys(schemas)) {
      if (files.has(name)) problems.push(`${file}: ${name} is also defined in ${files.get(name)}`)
      files.set(name, file)
      if (name.endsWith('Payload'))
        payloads.set(file.replace('.yaml', ''), `https://touchstone.example/${file}#/${name}`)
    }
  }
  for (const { event, file, payload } of samples) {
    const place = payloads.get(event)
    if (!place) problems.push(`${file}: the contract has no event ${event}`)
    else if (!ajv.validate(place, payload))
      problems.push(`${file}: ${ajv.errorsText(ajv.errors, { separator: '; ', dataVar: '' })}`)
  }
  for (const event of payloads.keys())
    if (!samples.some((each) => each.event === event))
      problems.push(`${event}: has no sample payload`)
  return problems
}

/** Returns the errors and warnings of the AsyncAPI parser. */
export async function checkWithParser(): Promise<string[]> {
  const { diagnostics } = await fromFile(
    new Parser(),
    join(root, 'specs/asyncapi/events.yaml'),
  ).parse()
  return diagnostics
    .filter(({ severity }) => severity <= 1)
    .map(({ path, message }) => `events, AsyncAPI parser, ${path.join('/')}: ${message}`)
}
