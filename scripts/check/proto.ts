// Checks the contracts in Protocol Buffers: what buf says of their style, whether they break those who use them already, and the rows that they name.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { protoFolder, readProto, runBuf } from '../generate/proto.ts'
import { whenStarted } from './report.ts'

/** What was accepted last, without comments. It lies beside its sources, so that no checkout's history is needed, and a commit is not compared with itself. */
const acceptedFile = 'accepted.binpb'
const accept = 'npm run proto -- --accept'

/** What buf complains of; nothing where it is content. */
async function complaints(...args: string[]): Promise<string[]> {
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

/** Style, by buf's standard rules and the exceptions in buf.yaml. `folder` takes the place of specs/proto. */
export const checkStyle = (folder = protoFolder): Promise<string[]> => complaints('lint', folder)

/** Whether all that was accepted still holds, and nothing came since that was not accepted too. */
export async function checkAccepted(folder = protoFolder): Promise<string[]> {
  const accepted = join(folder, acceptedFile)
  if (!existsSync(accepted)) return [`${acceptedFile} is missing. Run: ${accept}`]
  const broken = await complaints('breaking', folder, '--against', accepted)
  if (broken.length > 0)
    return broken.map((line) => `${line} (this breaks those who use the contract)`)
  const same = readFileSync(accepted).equals(await shapeOf(folder))
  return same
    ? []
    : [`${acceptedFile} does not know of the latest changes, which break nobody. Run: ${accept}`]
}

/** Makes what stands in the folder the accepted state, unless it breaks the one before. Gives what is in the way. */
export async function acceptPresent(folder = protoFolder): Promise<string[]> {
  const accepted = join(folder, acceptedFile)
  const broken = existsSync(accepted)
    ? await complaints('breaking', folder, '--against', accepted)
    : []
  if (broken.length === 0) writeFileSync(accepted, await shapeOf(folder))
  return broken
}

const shapeOf = (folder: string) =>
  runBuf(
    'build',
    folder,
    '--as-file-descriptor-set',
    '--exclude-source-info',
    '--output',
    '-#format=binpb',
  )

/** Whether every row that a contract names is in the catalogue. */
export function checkRows(rows: ReadonlySet<string>): string[] {
  const files = readdirSync(protoFolder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.proto'))
  return files.flatMap((file) => {
    const { messages, methods } = readProto(file)
    const named = [
      ...messages.flatMap((message) =>
        message.fields.map((field) => ({ ...field, name: `${message.name}.${field.name}` })),
      ),
      ...methods,
    ]
    return named
      .filter(({ requirement }) => !rows.has(requirement))
      .map(
        ({ name, requirement }) =>
          `${file}, ${name}: names ${requirement}, which the catalogue has not`,
      )
  })
}

export async function checkProto(): Promise<string[]> {
  return [
    ...(await checkStyle()),
    ...(await checkAccepted()),
    ...checkRows(
      new Set(
        readCatalogues()
          .flatMap(listEntries)
          .map((row) => row.id),
      ),
    ),
  ]
}

await whenStarted(
  import.meta.url,
  'proto',
  process.argv.includes('--accept') ? () => acceptPresent() : checkProto,
)
