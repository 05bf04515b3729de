// Checks the Protocol Buffers contracts. buf checks their style. The requirement ids in the
// contracts must be in the catalogue.
import { readdirSync } from 'node:fs'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { protoFolder, readProto, runBuf } from '../generate/proto.ts'
import { runIfMain } from './report.ts'

/** Returns the problems that buf reports. Empty if it succeeds. */
async function runBufCheck(...args: string[]): Promise<string[]> {
  try {
    await runBuf(...args)
    return []
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer }
    const lines = `${stdout?.toString() ?? ''}\n${stderr?.toString() ?? ''}`
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    return lines.length > 0 ? lines : [String(error)]
  }
}

/** Lints with the standard rules of buf and the exceptions in buf.yaml. */
export const checkStyle = (folder = protoFolder): Promise<string[]> => runBufCheck('lint', folder)

/** Checks that the catalogue contains every requirement id in the contracts. */
export function checkRequirementIds(requirementIds: ReadonlySet<string>): string[] {
  const files = readdirSync(protoFolder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.proto'))
  return files.flatMap((file) => {
    const { messages, methods } = readProto(file)
    const annotated = [
      ...messages.flatMap((message) =>
        message.fields.map((field) => ({ ...field, name: `${message.name}.${field.name}` })),
      ),
      ...methods,
    ]
    return annotated
      .filter(({ requirement }) => !requirementIds.has(requirement))
      .map(({ name, requirement }) => `${file}, ${name}: ${requirement} is not in the catalogue`)
  })
}

export async function checkProto(): Promise<string[]> {
  return [
    ...(await checkStyle()),
    ...checkRequirementIds(
      new Set(
        readCatalogues()
          .flatMap(listEntries)
          .map(({ id }) => id),
      ),
    ),
  ]
}

await runIfMain(import.meta.url, 'proto', checkProto)
