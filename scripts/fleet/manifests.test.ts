import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { validate as validateContainerfile } from 'dockerfile-utils'
import { Job } from 'kubernetes-models/batch/v1'
import { PersistentVolumeClaim } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { typeErrorsOf } from './typed-manifest.testing.ts'

// The files of examples/fleet are compared with the schemas of the systems that read them. Each
// check is also shown to find a mistake.
const folder = fileURLToPath(new URL('../../examples/fleet/', import.meta.url))
const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const targets = read('targets.txt').trim().split('\n')

type Manifest = { kind: string } & Record<string, unknown>
const manifestsIn = (text: string) =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

function errorsOf(text: string): string[] {
  const manifests = manifestsIn(text)
  const invalid = manifests.flatMap((manifest) => {
    try {
      const model =
        manifest.kind === 'Job'
          ? new Job(manifest as never)
          : new PersistentVolumeClaim(manifest as never)
      model.validate()
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  const typed = manifests.map((value) => ({
    module: value.kind === 'Job' ? 'batch/v1' : 'v1',
    value,
  }))
  return [...invalid, ...typeErrorsOf(typed)]
}

describe('the Kubernetes manifests', () => {
  test.each(['job.yaml', 'compare-job.yaml'])('%s is valid', (name) => {
    expect(errorsOf(read(name))).toEqual([])
  })

  test.each([
    [
      'an unknown field',
      'completionMode:',
      'completionsMode:',
      /only specify known properties.*completionsMode/,
    ],
    ['a wrong type', 'completions: 3', 'completions: 1.5', /completions must be integer/],
    ['a missing field', '- name: touchstone\n', '- stdin: true\n', /required property name/],
  ])('%s is found', (_, right, wrong, message) => {
    expect(read('job.yaml')).toContain(right)
    expect(errorsOf(read('job.yaml').replace(right, wrong)).join('\n')).toMatch(message)
  })

  test('the job has an index for each target', () => {
    const [, job] = manifestsIn(read('job.yaml')) as [Manifest, { spec: Record<string, unknown> }]
    expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: targets.length })
  })
})

function workflowErrors(text: string): string[] {
  const program = fileURLToPath(new URL('workflow-errors.testing.ts', import.meta.url))
  const args = ['--import', 'tsx', program]
  return JSON.parse(execFileSync(process.execPath, args, { input: text }).toString()) as string[]
}

describe('the workflow', () => {
  test('is valid', () => {
    expect(workflowErrors(read('fleet.yml'))).toEqual([])
  })

  test('an unknown key and a wrong expression are found', () => {
    const text = read('fleet.yml')
      .replace('fail-fast: false', 'fail-fst: false')
      .replace('matrix.index }}', 'matrix.index) }}')
    expect(workflowErrors(text).join('\n')).toMatch(/value 'fail-fst'[^]*symbol: '\)'/)
  })

  test('does not cancel other targets after a failure, and compares even then', () => {
    const { jobs } = parse(read('fleet.yml')) as {
      jobs: Record<'test' | 'compare', { if?: string; strategy?: { 'fail-fast': boolean } }>
    }
    expect([jobs.test.strategy?.['fail-fast'], jobs.compare.if]).toEqual([
      false,
      '${{ !cancelled() }}',
    ])
  })
})

describe('the container file', () => {
  test('is valid', () => {
    expect(validateContainerfile(read('Containerfile'))).toEqual([])
  })

  test('a mistake is found', () => {
    expect(validateContainerfile(read('Containerfile').replace('WORKDIR', 'WORKDR'))).not.toEqual(
      [],
    )
  })

  test('copies what the scripts need', () => {
    const copied = [...read('Containerfile').matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    )
    expect(copied).toEqual(
      expect.arrayContaining(['targets.txt', 'targets', 'test-target.sh', 'compare.sh']),
    )
  })
})

test('each target of the list is a valid target file, with its own name', () => {
  const schema = JSON.parse(read('../../specs/json-schema/target.json')) as object
  const validate = new Ajv2020({ strict: false }).compile(schema)
  for (const target of targets) {
    const content = parse(read(target)) as object
    expect([validate(content), validate.errors]).toEqual([true, null])
    expect(validate({ ...content, tool: {} })).toBe(false)
  }
  expect(new Set(targets.map((target) => target.split('/').at(-1))).size).toBe(targets.length)
})
