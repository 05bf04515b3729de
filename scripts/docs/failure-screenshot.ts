import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faults } from '../../conformance/proof/faults/images/index.ts'
import { startImages } from '../../mocks/stateful/images.ts'
import { ansiToSvg } from './ansi-to-svg.ts'

const columns = 96
const requirement = 'IMG-UPLOAD-04'
const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Returns a pattern that also matches if line breaks are inside the match. `source` may contain
 * only single characters, escapes, and digits with a count, such as `\d{4}`.
 */
const wrappable = ({ source }: RegExp): RegExp => {
  const characters = source.replace(/(\\d)\{(\d)\}/g, (_, digit: string, count: string) =>
    digit.repeat(Number(count)),
  )
  return new RegExp(characters.match(/\\?./g)!.join('\\s*'), 'g')
}

/**
 * Renders the output of the command for a broken server as SVG. Replaces values that differ between
 * runs. Needs the compiled command: `npm run build`.
 */
export async function renderFailureSvg(): Promise<string> {
  const fault = faults.find(({ violates }) => violates.includes(requirement))
  if (fault === undefined) throw new Error(`no fault violates ${requirement}`)
  const ignoreHits = () => {}
  const server = await startImages(fault.make(ignoreHits))
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-failure-'))
  try {
    const output = await new Promise<string>((resolve, reject) => {
      const args = [
        '--images-url',
        server.accountUrl,
        '--images-account',
        'acc-1',
        '--only',
        requirement,
        '--suite-seed',
        '8',
      ]
      execFile(
        process.execPath,
        [join(root, 'dist/scripts/touchstone.js'), 'test', ...args, '--report', 'report'],
        {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            IMAGES_TOKEN: server.options.tokens.api,
            FORCE_COLOR: '1',
            COLUMNS: String(columns),
          },
        },
        (error, stdout, stderr) => {
          // The run exits with 1, because a requirement is not met.
          if (error !== null && error.code !== 1) reject(new Error(stderr, { cause: error }))
          else resolve(stdout)
        },
      )
    })
    const stable = output
      .replaceAll(new URL(server.accountUrl).host, '127.0.0.1:8080')
      .replace(/127\.0\.0\.1:(?!8080)\d+/g, '127.0.0.1:40123')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '8f1af035-7ec6-4515-aeb5-4db68714c1c3')
      .replace(wrappable(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/), (time) => {
        const digits = [...'2026-01-31T12:00:00.000Z']
        return time.replace(/\S/g, () => digits.shift()!)
      })
      // The names that the suite generates begin with ts.
      .replace(/\bts[0-9a-f]{8}n\d+([a-z]*)/g, 'ts8f1af035n1$1')
      .replace(/ in \d+\.\d+ s/, ' in 0.2 s')
    return ansiToSvg(stable, columns)
  } finally {
    await server.close()
    await rm(folder, { recursive: true })
  }
}
