// Checks the AsyncAPI document of the deliveries, and the golden payloads by its schemas.
import { fromFile, Parser } from '@asyncapi/parser'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { fieldsOf } from '../generate/fields.ts'
import { root } from '../generate/house.ts'
import { resolve, type AnyJson } from '../generate/openapi.ts'
import { newAjv } from '../generate/validators.ts'
import { checkSchemas, judgeOf } from './schemas.ts'

const schemaFolder = join(root, 'specs/asyncapi/components/schemas')
const goldenFolder = join(root, 'specs/examples/events')

/** What no tool says of the document; `hooks` is the OpenAPI document whose flags turn the deliveries on. */
export function checkDeliveries(
  document: AnyJson,
  hooks: AnyJson,
  rows: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  const say = (place: string, problem: string) => problems.push(`events, ${place}: ${problem}`)
  checkSchemas(document, rows, say, judgeOf(document, say))
  const headers = new Map<unknown, string>()
  for (const [channel, { messages }] of Object.entries(document.channels as AnyJson)) {
    for (const [name, given] of Object.entries(messages as AnyJson)) {
      const message = resolve<AnyJson>(document, given as AnyJson)
      const fields = (what: string, schema: AnyJson) => {
        try {
          return fieldsOf(document, schema)
        } catch (error) {
          say(`${name}, ${what}`, (error as Error).message)
          return []
        }
      }
      if (message.name !== name) say(name, 'is not named by its key')
      if (!message.title) say(name, 'has no title')
      if (message.contentType !== 'application/json') say(name, 'is not JSON')
      if (!message['x-requirement']) say(name, 'names no row of the catalogue')
      if (!(message['x-flag'] in hooks.components.schemas.HookInput.properties))
        say(name, `a hook has no flag ${message['x-flag']}`)
      const header = fields('headers', {
        'x-requirement': message['x-requirement'],
        ...message.headers,
      }).find(({ path }) => path === '/X-Hook-Event')?.schema.const
      if (header === undefined) say(name, 'has no value of X-Hook-Event')
      else if (headers.has(header)) say(name, `has the X-Hook-Event of ${headers.get(header)}`)
      headers.set(header, name)
      if (
        !fields('payload', message.payload).some(
          ({ path, schema }) => path === '/object_kind' && 'const' in schema,
        )
      )
        say(name, 'has no value of object_kind')
      for (const action of ['send', 'receive']) {
        const ref = `#/channels/${channel}/messages/${name}`
        if (
          !Object.values(document.operations as AnyJson).some(
            (operation) =>
              operation.action === action &&
              ((operation.messages ?? []) as AnyJson[]).some(({ $ref }) => $ref === ref),
          )
        )
          say(name, `no operation is there to ${action} it`)
      }
    }
  }
  return problems
}

export interface Golden {
  event: string
  file: string
  payload: unknown
}

export function readGolden(): Golden[] {
  return readdirSync(goldenFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: event }) =>
      readdirSync(join(goldenFolder, event)).map((file) => ({
        event,
        file: `${event}/${file}`,
        payload: JSON.parse(readFileSync(join(goldenFolder, event, file), 'utf8')) as unknown,
      })),
    )
}

/** Each golden payload by the schema of its event, which is compiled from the files as they are; each event has one at least. */
export function checkGolden(golden: Golden[]): string[] {
  const problems: string[] = []
  const ajv = newAjv({ strict: false })
  const payloads = new Map<string, string>() // event: where its schema stands
  const files = new Map<string, string>() // schema: its file
  for (const file of readdirSync(schemaFolder).sort()) {
    const schemas = parse(readFileSync(join(schemaFolder, file), 'utf8')) as AnyJson
    ajv.addSchema({ $id: `https://touchstone.example/${file}`, ...schemas })
    for (const name of Object.keys(schemas)) {
      if (files.has(name)) problems.push(`${file}: ${name} is a schema of ${files.get(name)} too`)
      files.set(name, file)
      if (name.endsWith('Payload'))
        payloads.set(file.replace('.yaml', ''), `https://touchstone.example/${file}#/${name}`)
    }
  }
  for (const { event, file, payload } of golden) {
    const place = payloads.get(event)
    if (!place) problems.push(`${file}: there is no event ${event}`)
    else if (!ajv.validate(place, payload))
      problems.push(`${file}: ${ajv.errorsText(ajv.errors, { separator: '; ', dataVar: '' })}`)
  }
  for (const event of payloads.keys())
    if (!golden.some((each) => each.event === event))
      problems.push(`${event}: has no golden payload`)
  return problems
}

/** What the parser of AsyncAPI calls an error or a warning. */
export async function checkWithParser(): Promise<string[]> {
  const { diagnostics } = await fromFile(
    new Parser(),
    join(root, 'specs/asyncapi/events.yaml'),
  ).parse()
  return diagnostics
    .filter(({ severity }) => severity <= 1)
    .map(({ path, message }) => `events, AsyncAPI parser, ${path.join('/')}: ${message}`)
}
