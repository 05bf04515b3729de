import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { faults } from '../../../conformance/proof/faults/images/index.ts'
import { startImages } from '../../../mocks/stateful/images.ts'
import type { Recording } from './page.ts'
import { openTerminal, type TmuxTerminal } from './terminal.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const prompt = /\n\$$/

/** A requirement that the tested server does not meet. */
const violated = 'IMG-UPLOAD-04'

/**
 * Records the first runs of a new user: testing a server (one that breaks a rule), a wrong port,
 * mocking a server, generating types, and deliveries. Needs the compiled command, and tmux.
 */
export async function recordFirstRuns(): Promise<Recording[]> {
  return [
    await withTerminal('test', 'Test a server', recordTest),
    await withTerminal('mistake', 'Test a server that does not listen', recordMistake),
    await withTerminal('mock', 'Mock a server', recordMock),
    await withTerminal('types', 'Generate types', recordTypes),
    await withTerminal('listen', 'Receive deliveries', recordListen),
  ]
}

type Frames = Recording['frames']

/** Records in a terminal whose folder has the command installed, as `npm install` would do. */
async function withTerminal(
  name: string,
  title: string,
  record: (terminal: TmuxTerminal, folder: string) => Promise<Frames>,
): Promise<Recording> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-first-run-'))
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  // npm would make a link, but the compiled command of a checkout is not executable.
  await writeFile(
    join(folder, 'node_modules/.bin/touchstone'),
    `#!/bin/sh\nexec node ${join(root, 'dist/scripts/touchstone.js')} "$@"\n`,
    { mode: 0o755 },
  )
  const environment = { PATH: process.env.PATH!, LANG: 'C.UTF-8', IMAGES_TOKEN: 'my-token' }
  const terminal = await openTerminal(name, folder, environment)
  try {
    return { title, frames: await record(terminal, folder) }
  } finally {
    await terminal.close()
    await rm(folder, { recursive: true })
  }
}

async function recordTest(terminal: TmuxTerminal): Promise<Frames> {
  const fault = faults.find(({ violates }) => violates.includes(violated))
  if (fault === undefined) throw new Error(`no fault violates ${violated}`)
  const ignoreHits = () => {}
  const server = await startImages(fault.make(ignoreHits))
  try {
    const url = new URL('/client/v4', server.accountUrl).href
    await terminal.enter('clear')
    await terminal.enter(`export IMAGES_TOKEN=${server.options.tokens.api}`)
    await terminal.enter(`npx touchstone test ${url} --account acc-1`)
    await terminal.waitFor(/\d+ requests/)
    await delay(2000)
    const running = await terminal.read()
    const end = await terminal.waitFor(prompt)
    return [
      { moment: 'While the run goes on', screen: running },
      { moment: 'At the end', screen: end },
    ]
  } finally {
    await server.close()
  }
}

async function recordMistake(terminal: TmuxTerminal): Promise<Frames> {
  await terminal.enter('npx touchstone test http://127.0.0.1:8080/client/v4 --account acc-1')
  return [{ moment: 'At once', screen: await terminal.waitFor(prompt) }]
}

async function recordMock(terminal: TmuxTerminal): Promise<Frames> {
  await terminal.enter('npx touchstone mock images --stateful')
  const screen = await terminal.waitFor(/curl/)
  await terminal.press('C-c')
  return [{ moment: 'The mock is ready', screen }]
}

async function recordTypes(terminal: TmuxTerminal): Promise<Frames> {
  await terminal.enter('npx touchstone types --out src/contracts')
  await terminal.waitFor(prompt)
  await terminal.enter('ls src/contracts')
  return [{ moment: 'After both commands', screen: await terminal.waitFor(/ls[\s\S]*\n\$$/) }]
}

async function recordListen(terminal: TmuxTerminal, folder: string): Promise<Frames> {
  const other = await openTerminal('emit', folder, { PATH: process.env.PATH!, LANG: 'C.UTF-8' })
  try {
    await terminal.enter('npx touchstone listen')
    await terminal.waitFor(/http/)
    await other.enter('npx touchstone emit push --to http://127.0.0.1:4040/hook')
    const emitted = await other.waitFor(prompt)
    const received = await terminal.read()
    await terminal.press('C-c')
    const tally = await terminal.waitFor(prompt)
    return [
      { moment: '`listen` has received a delivery', screen: received },
      { moment: 'The other terminal', screen: emitted },
      { moment: 'After Ctrl-C', screen: tally },
    ]
  } finally {
    await other.close()
  }
}
