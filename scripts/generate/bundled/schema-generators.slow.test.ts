// Generators for AsyncAPI and JSON Schema accept the bundled contracts, and their code compiles.
import { Parser } from '@asyncapi/parser'
import { TypeScriptGenerator } from '@asyncapi/modelina'
import { InputData, JSONSchemaInput, FetchingJSONSchemaStore, quicktype } from 'quicktype-core'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundledFile, newWorkspace, typeErrors, type Workspace } from './compile.testing.ts'

let workspace: Workspace
beforeEach(() => {
  workspace = newWorkspace()
})
afterEach(() => workspace.remove())

const read = (name: string) =>
  JSON.parse(readFileSync(bundledFile(name), 'utf8')) as {
    components: { schemas: Record<string, object> }
    $defs: Record<string, object>
  }

it('the AsyncAPI parser finds no problem in the events', async () => {
  const { diagnostics } = await new Parser().parse(readFileSync(bundledFile('events.json'), 'utf8'))
  expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([])
})

it('Modelina names the types of the events after the schemas', async () => {
  const generator = new TypeScriptGenerator({ modelType: 'interface', rawPropertyNames: true })
  const models = await generator.generate(read('events.json'))
  workspace.write('models.ts', models.map(({ result }) => `export ${result}`).join('\n'))
  const use = workspace.write(
    'use.ts',
    `import type { DeploymentPayload, IssuePayload, JobPayload, MergeRequestPayload, PipelinePayload } from './models'
import type { Project, PushCommit, PushPayload, ReleasePayload, TagPushPayload, User, WikiPagePayload } from './models'

export const nameOf = ({ project }: PushPayload): string => project.name
export const pathOf = (project: Project): string => project.path_with_namespace
export const firstOf = ({ commits }: TagPushPayload): PushCommit | undefined => commits[0]
export const userOf = ({ user }: IssuePayload): User => user
export type Others = [DeploymentPayload, JobPayload, MergeRequestPayload, PipelinePayload, ReleasePayload, WikiPagePayload]
`,
  )
  expect(typeErrors([use])).toEqual([])
})

const schemasOf = {
  'events.json': (document: ReturnType<typeof read>) => document.components.schemas,
  'tools.json': (document: ReturnType<typeof read>) => document.$defs,
}

it.each([
  [
    'events.json',
    'components/schemas',
    ['PushPayload', 'IssuePayload', 'PipelinePayload', 'ReleasePayload'],
    `export const nameOf = ({ project }: PushPayload): string => project.name
export const firstOf = ({ commits }: PushPayload): string | undefined => commits[0]?.id
export type Others = [IssuePayload, PipelinePayload, ReleasePayload]`,
  ],
  [
    'tools.json',
    '$defs',
    ['ToolDefinition', 'PaginationResult', 'SearchInput'],
    `export const nameOf = ({ name }: ToolDefinition): string => name
export const isReadOnly = ({ annotations }: ToolDefinition): boolean => annotations.readOnlyHint
export const totalOf = ({ total }: PaginationResult): number => total
export type Others = SearchInput`,
  ],
] as const)('quicktype generates the types of %s', async (file, section, names, code) => {
  const document = read(file)
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore())
  for (const name of names) {
    expect(schemasOf[file](document)).toHaveProperty(name)
    await input.addSource({
      name,
      uris: [`${file}#/${section}/${name}`],
      schema: JSON.stringify(document),
    })
  }
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({
    inputData,
    lang: 'typescript',
    rendererOptions: { 'just-types': true },
  })
  workspace.write('types.ts', lines.join('\n'))
  const use = workspace.write(
    'use.ts',
    `import type { ${names.join(', ')} } from './types'\n\n${code}\n`,
  )
  expect(typeErrors([use])).toEqual([])
})
