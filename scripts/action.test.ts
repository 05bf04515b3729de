import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Action {
  inputs: Record<string, { description: string; default: string }>
  runs: { steps: { run: string; env?: Record<string, string> }[] }
}
const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

/** Runs the last step of the action in a shell, as GitHub does, with these inputs. */
function runStep(given: Record<string, string>): Promise<{ status: number; error: string }> {
  const { run, env = {} } = runs.steps.at(-1)!
  const values = Object.entries(env).map(([name, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? []
    expect(inputs, `the input of ${name}`).toHaveProperty(input)
    return [name, given[input] ?? inputs[input]!.default] as const
  })
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, GITHUB_ACTION_PATH: root, ...Object.fromEntries(values) },
      },
      (failure, _out, error) =>
        resolve({ status: failure === null ? 0 : Number(failure.code), error }),
    )
  })
}

test('the action tests the server of the target file, with further options', async () => {
  writeFileSync(join(folder, 'touchstone.yaml'), 'receiver: { url: "http://127.0.0.1:9/hook" }\n')
  const closed = await runStep({ wait: '1ms' })
  expect(closed.error).toContain('127.0.0.1:9: connection refused')
  expect(closed.status).toBe(3)
  const unknown = await runStep({ wait: '1ms', arguments: '--only EVT-NO-01 --strict' })
  expect(unknown.error).toContain('There is no requirement "EVT-NO-01"')
  expect(unknown.status).toBe(3)
})
