// Checks the Protocol Buffers contracts. buf checks their style, and finds breaking changes. The
// requirement ids in the contracts must be in the catalogue.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { protoFolder, readProto, runBuf } from '../generate/proto.ts'
import { runIfMain } from './report.ts'

/**
 * The last accepted version of the contracts, without comments. It is a file: a comparison with the
 * Git history would need a full clone, and after a commit, the latest version in the history would
 * be the new version itself.
 */
const acceptedFile = 'accepted.binpb'
const acceptCommand = 'npm run proto -- --accept'

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

/**
 * Checks that the contracts are compatible with the accepted version, and that the accepted version
 * is up to date.
 */
export async function checkAccepted(folder = protoFolder): Promise<string[]> {
  const accepted = join(folder, acceptedFile)
  if (!existsSync(accepted)) return [`${acceptedFile} is missing. Run: ${acceptCommand}`]
  const broken = await runBufCheck('breaking', folder, '--against', accepted)
  if (broken.length > 0)
    return broken.map(
      (line) =>
        `${line} (a breaking change: undo it or, for a new major version, delete ${acceptedFile} and run: ${acceptCommand})`,
    )
  const isUnchanged = readFileSync(accepted).equals(await buildDescriptors(folder))
  return isUnchanged
    ? []
    : [
        `${acceptedFile} does not contain the latest changes, which are compatible. Run: ${acceptCommand}`,
      ]
}

/** Accepts the current version, unless it breaks the accepted one. Returns the breaking changes. */
export async function acceptCurrentVersion(folder = protoFolder): Promise<string[]> {
  const accepted = join(folder, acceptedFile)
  const broken = existsSync(accepted)
    ? await runBufCheck('breaking', folder, '--against', accepted)
    : []
  if (broken.length === 0) writeFileSync(accepted, await buildDescriptors(folder))
  return broken
}

const buildDescriptors = (folder: string) =>
  runBuf(
    'build',
    folder,
    '--as-file-descriptor-set',
    '--exclude-source-info',
    '--output',
    '-#format=binpb',
  )

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
    ...(await checkAccepted()),
    ...checkRequirementIds(
      new Set(
        readCatalogues()
          .flatMap(listEntries)
          .map(({ id }) => id),
      ),
    ),
  ]
}

await runIfMain(
  import.meta.url,
  'proto',
  process.argv.includes('--accept') ? () => acceptCurrentVersion() : checkProto,
)
