// Checks the contracts with redocly, swagger-parser and the AsyncAPI parser, and with rules of this
// project.
import SwaggerParser from '@apidevtools/swagger-parser'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { fieldsOf } from '../generate/fields.ts'
import { root } from '../generate/source.ts'
import { strictnesses } from '../generate/strictness.ts'
import {
  bodySchemaName,
  endpointsOf,
  readContract,
  resolve,
  type AnyJson,
} from '../generate/openapi.ts'
import { checkDeliveries, checkSamples, checkWithParser, readSamples } from './deliveries.ts'
import { runIfMain } from './report.ts'
import { checkFiles, checkSchemas, newSchemaValidator } from './schemas.ts'
import { checkTools } from './tools.ts'

/**
 * The statuses that every operation of a contract declares, each with a JSON body. The document of
 * the image API lists its statuses. Those of the hook API are the ones that a client must expect.
 * Other contracts are missing here, because their operations have different statuses, or HTML
 * responses.
 */
const statuses: { [contract: string]: string[] } = {
  images: ['200', '400', '401', '403', '404', '413', '429', '500', '502'],
  hooks: ['201', '400', '401', '403', '404', '422', '429'],
}
/** Schemas of bodies whose fields the contract does not specify. */
const unspecified = ['AnyBody', 'Hook', 'TestResult', 'HookError']

export function checkDocuments(
  documents: { name: string; document: AnyJson }[],
  requirementIds: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  const operations = new Map<string, string>()
  for (const { name, document } of documents) {
    const expected = statuses[name.split('-')[0]!]
    const report = (place: string, problem: string) =>
      problems.push(`${name}, ${place}: ${problem}`)
    const validateExample = newSchemaValidator(document, report)
    const examplesOf = (holder: AnyJson): [string, unknown][] => [
      ...('example' in holder ? [['example', holder.example] as [string, unknown]] : []),
      ...Object.entries((holder.examples ?? {}) as AnyJson).map(
        ([key, example]): [string, unknown] => [key, resolve(document, example).value],
      ),
    ]
    const validateExamples = (place: string, holder: AnyJson) => {
      const examples = examplesOf(holder)
      if (examples.length === 0) report(place, 'has no example')
      for (const [key, value] of examples)
        validateExample(`${place}, example ${key}`, holder.schema, value)
    }

    for (const { path, method, operation, parameters } of endpointsOf(document)) {
      const id = operation.operationId ?? `${method} ${path}`
      if (!operation.operationId) report(id, 'has no operationId')
      if (operations.has(id)) report(id, `the operationId also occurs in ${operations.get(id)}`)
      operations.set(id, name)
      if (!operation['x-requirement']) report(id, 'has no x-requirement')

      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!)
      const declaredNames = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name as string)
      for (const parameter of inPath.filter((parameter) => !declaredNames.includes(parameter)))
        report(id, `does not declare {${parameter}}`)
      for (const parameter of declaredNames.filter((parameter) => !inPath.includes(parameter)))
        report(id, `declares ${parameter}, which its path does not contain`)
      for (const parameter of parameters)
        validateExamples(`${id}, parameter ${parameter.name}`, parameter)

      const body = operation.requestBody && resolve<AnyJson>(document, operation.requestBody)
      for (const [type, media] of Object.entries((body?.content ?? {}) as AnyJson))
        validateExamples(`${id}, request ${type}`, media as AnyJson)

      for (const status of expected ?? []) {
        if (!operation.responses[status]) report(id, `does not declare ${status}`)
      }
      for (const [status, given] of Object.entries(operation.responses as AnyJson)) {
        if (expected?.includes(status) === false)
          report(id, `declares ${status}, which is not a status of its contract`)
        const content = resolve<AnyJson>(document, given as AnyJson).content ?? {}
        if (expected && !content['application/json']) report(`${id} ${status}`, 'has no JSON body')
        for (const [type, media] of Object.entries(content as AnyJson))
          validateExamples(`${id} ${status} ${type}`, media as AnyJson)
        if (!expected && !content['application/json']) continue
        try {
          const schema = bodySchemaName(document, operation, status)
          if (!unspecified.includes(schema)) fieldsOf(document, document.components.schemas[schema])
        } catch (error) {
          report(`${id} ${status}`, (error as Error).message)
        }
      }
    }
    checkSchemas(document, requirementIds, report, validateExample)
  }
  return problems
}

/** Returns the problems that swagger-parser and redocly find. */
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
      `redocly exited with ${lint.status}:\n${lint.stdout || lint.stderr || lint.error?.message}`,
    )
  return problems
}

const atEachStrictness = (name: string) =>
  strictnesses.map((strictness) => readContract(name, strictness))

export async function checkContracts(): Promise<string[]> {
  const names = readdirSync(join(root, 'specs/openapi'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort()
  const requirementIds = new Set(
    readCatalogues()
      .flatMap(listEntries)
      .map(({ id }) => id),
  )
  const documents = names.map((name) => ({ name, document: readContract(name) }))
  const events = readContract('events')
  return [
    ...checkDocuments(documents, requirementIds),
    ...checkDeliveries(events, readContract('hooks'), requirementIds),
    ...checkSamples(readSamples()),
    ...checkTools(),
    ...checkFiles(
      'specs/openapi',
      names.flatMap((name) => atEachStrictness(name)),
      requirementIds,
    ),
    ...checkFiles('specs/asyncapi', atEachStrictness('events'), requirementIds),
    ...(await checkWithParser()),
    ...(await checkWithTools(names)),
  ]
}

await runIfMain(import.meta.url, 'contracts', checkContracts)
