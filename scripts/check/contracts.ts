// Checks the contracts: what redocly, swagger-parser and the AsyncAPI parser say of them, and what none of these does.
import SwaggerParser from '@apidevtools/swagger-parser'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { fieldsOf } from '../generate/fields.ts'
import { root } from '../generate/house.ts'
import { bodySchema, endpoints, readContract, resolve, type AnyJson } from '../generate/openapi.ts'
import { checkDeliveries, checkGolden, checkWithParser, readGolden } from './deliveries.ts'
import { whenStarted } from './report.ts'
import { checkFiles, checkSchemas, judgeOf } from './schemas.ts'
import { checkTools } from './tools.ts'

/**
 * What every operation of a contract declares, each with a JSON body. The image API's document lists its statuses; the hook API's does not, so these are ones to
 * be ready for. A contract that is not here has operations that answer each in its own way, with pages too.
 */
const statuses: { [contract: string]: string[] } = {
  images: ['200', '400', '401', '403', '404', '413', '429', '500', '502'],
  hooks: ['201', '400', '401', '403', '404', '422', '429'],
}
/** Bodies of which a document states nothing. */
const unstated = ['Anything', 'Hook', 'TestResult', 'Refusal']

export function checkDocuments(
  documents: { name: string; document: AnyJson }[],
  rows: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  const operations = new Map<string, string>()
  for (const { name, document } of documents) {
    const declared = statuses[name.split('-')[0]!]
    const say = (place: string, problem: string) => problems.push(`${name}, ${place}: ${problem}`)
    const judge = judgeOf(document, say)
    const examplesOf = (holder: AnyJson): [string, unknown][] => [
      ...('example' in holder ? [['example', holder.example] as [string, unknown]] : []),
      ...Object.entries((holder.examples ?? {}) as AnyJson).map(
        ([key, example]): [string, unknown] => [key, resolve(document, example).value],
      ),
    ]
    const judgeAll = (place: string, holder: AnyJson) => {
      const examples = examplesOf(holder)
      if (examples.length === 0) say(place, 'has no example')
      for (const [key, value] of examples) judge(`${place}, example ${key}`, holder.schema, value)
    }

    for (const { path, method, operation, parameters } of endpoints(document)) {
      const id = operation.operationId ?? `${method} ${path}`
      if (!operation.operationId) say(id, 'has no operationId')
      if (operations.has(id)) say(id, `is an operationId of ${operations.get(id)} too`)
      operations.set(id, name)
      if (!operation['x-requirement']) say(id, 'names no row of the catalogue')

      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!)
      const named = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name as string)
      for (const parameter of inPath.filter((parameter) => !named.includes(parameter)))
        say(id, `does not declare {${parameter}}`)
      for (const parameter of named.filter((parameter) => !inPath.includes(parameter)))
        say(id, `declares ${parameter}, which its path has not`)
      for (const parameter of parameters) judgeAll(`${id}, parameter ${parameter.name}`, parameter)

      const body = operation.requestBody && resolve<AnyJson>(document, operation.requestBody)
      for (const [type, media] of Object.entries((body?.content ?? {}) as AnyJson))
        judgeAll(`${id}, request ${type}`, media as AnyJson)

      for (const status of declared ?? []) {
        if (!operation.responses[status]) say(id, `does not declare ${status}`)
      }
      for (const [status, given] of Object.entries(operation.responses as AnyJson)) {
        if (declared?.includes(status) === false)
          say(id, `declares ${status}, which its contract does not list`)
        const content = resolve<AnyJson>(document, given as AnyJson).content ?? {}
        if (declared && !content['application/json']) say(`${id} ${status}`, 'has no JSON body')
        for (const [type, media] of Object.entries(content as AnyJson))
          judgeAll(`${id} ${status} ${type}`, media as AnyJson)
        if (!declared && !content['application/json']) continue
        try {
          const schema = bodySchema(document, operation, status)
          if (!unstated.includes(schema)) fieldsOf(document, document.components.schemas[schema])
        } catch (error) {
          say(`${id} ${status}`, (error as Error).message)
        }
      }
    }
    checkSchemas(document, rows, say, judge)
  }
  return problems
}

/** What swagger-parser and redocly find. */
export async function checkWithTools(names: string[]): Promise<string[]> {
  const problems: string[] = []
  for (const name of names) {
    await SwaggerParser.validate(join(root, 'specs/openapi', name + '.yaml')).catch(
      (error: Error) => problems.push(`${name}, swagger-parser: ${error.message}`),
    )
    await SwaggerParser.validate(structuredClone(readContract(name)) as never).catch(
      (error: Error) => problems.push(`${name}, bundled, swagger-parser: ${error.message}`),
    )
  }
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const cli = join(manifest, '..', 'bin/cli.js')
  const lint = spawnSync(process.execPath, [cli, 'lint', '--format=stylish'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
  })
  if (lint.status !== 0)
    problems.push(
      `redocly ended with ${lint.status}:\n${lint.stdout || lint.stderr || lint.error?.message}`,
    )
  return problems
}

export async function checkContracts(): Promise<string[]> {
  const names = readdirSync(join(root, 'specs/openapi'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort()
  const rows = new Set(
    readCatalogues()
      .flatMap(listEntries)
      .map((row) => row.id),
  )
  const documents = names.map((name) => ({ name, document: readContract(name) }))
  const events = readContract('events', 'asyncapi')
  return [
    ...checkDocuments(documents, rows),
    ...checkDeliveries(events, readContract('hooks'), rows),
    ...checkGolden(readGolden()),
    ...checkTools(),
    ...checkFiles(
      'specs/openapi',
      documents.map(({ document }) => document),
      rows,
    ),
    ...checkFiles('specs/asyncapi', [events], rows),
    ...(await checkWithParser()),
    ...(await checkWithTools(names)),
  ]
}

await whenStarted(import.meta.url, 'contracts', checkContracts)
