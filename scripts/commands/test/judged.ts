import { existsSync } from 'node:fs'
import { loadTarget, TargetError, type Target } from '../../../conformance/target/index.ts'
import { flagOf, keys } from '../../../conformance/target/keys.ts'
import { UsageError } from '../../complain.ts'

/** What is going to be judged. */
export interface Judged {
  target: Target
  /** For the first line of the report. */
  name: string
  bundled: boolean
  /** Arguments that name the same target again, without secrets. */
  again: string[]
  close(): Promise<void>
}

const file = 'touchstone.yaml'

/** Finds out what to judge: the named file, else the URL of the flags, else `touchstone.yaml`, else the bundled servers, which it starts. */
export async function judgedOf(given: { target?: string; bundled?: boolean }, flags: Readonly<Record<string, string | boolean>>): Promise<Judged> {
  const { target: named, bundled = false } = given
  const images = Object.keys(flags).filter((path) => path.startsWith('images.'))
  if (bundled && (named !== undefined || images.length > 0)) {
    throw new UsageError(`--bundled judges the bundled servers and takes no target beside them. Leave out ${named === undefined ? flagOf(images[0]!) : '--target'}.`)
  }
  const found = named ?? (!bundled && flags['images.url'] === undefined && existsSync(file) ? file : undefined)
  if (found === undefined && images.length === 0) return bundledServers(flags)
  const target = await loadTarget({ file: found, flags })
  if (target.images === undefined) {
    throw new TargetError(`Nothing to judge: ${found ?? 'the command line'} names no target.\nNext: give it a section images, or ${flagOf('images.url')} and ${flagOf('images.account')}.`)
  }
  const { url, account } = target.images
  const source = found === undefined ? '' : ` (${found})`
  return { target, name: `${url}, account ${account}${source}`, bundled: false, again: [...(named === undefined ? [] : ['--target', quoted(named)]), ...words(flags)], close: async () => {} }
}

/** The stateful servers, with everything that a target can give; a small largest file keeps the run short. */
async function bundledServers(flags: Readonly<Record<string, string | boolean>>): Promise<Judged> {
  const { suite } = await loadTarget({ flags })
  const { startImages, targetOf } = await import('../../../mocks/stateful/images.ts')
  const server = await startImages({ maxFileBytes: 256 * 1024 })
  const target: Target = {
    images: targetOf(server),
    suite: { pictures: {}, ...suite },
  }
  return { target, name: 'the bundled stateful servers', bundled: true, again: words(flags), close: () => server.close() }
}

function words(flags: Readonly<Record<string, string | boolean>>): string[] {
  return Object.entries(flags).flatMap(([path, value]) => {
    const { kind, variable } = keys.find((key) => key.path === path) ?? {}
    if (value === true) return [flagOf(path)]
    return [flagOf(path), kind === 'secret' ? `"$${variable ?? 'TOKEN'}"` : quoted(String(value))]
  })
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
