import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe as group, expect, test } from 'vitest'
import { startHooks } from '../../mocks/stateful/hooks.ts'
import { startImages, type ImagesOptions, type ImagesServer } from '../../mocks/stateful/images.ts'
import { describe } from './clean.ts'
import { commandOf } from './command.testing.ts'

// The compiled command starts several times faster. `npm test` compiles it first.
const command = join(import.meta.dirname, '..', '..', 'dist', 'scripts', 'touchstone.js')
const clean = commandOf('clean', describe)

let folder: string
let report: string
const closers: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-clean-'))
  report = join(folder, 'report')
})
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  rmSync(folder, { recursive: true })
})

async function serveImages(around?: ImagesOptions['around']): Promise<ImagesServer> {
  const server = await startImages(around === undefined ? {} : { around })
  closers.push(() => server.close())
  server.store.add({
    id: 'existing',
    filename: 'a.png',
    uploaded: Date.now(),
    requireSignedURLs: false,
    metadata: undefined,
    draft: false,
    bytes: new Uint8Array(1),
    type: 'image/png',
  })
  return server
}

/**
 * The ids of the stored images. A draft whose upload URL did not arrive cannot be found: it has no
 * name, and no list contains it. Its upload URL expires.
 */
const storedIn = ({ store }: ImagesServer): string[] =>
  [...store.images.values()].filter(({ draft }) => !draft).map(({ id }) => id)

const optionsFor = ({ accountUrl, options: { account, tokens } }: ImagesServer) => [
  ...['--images-url', accountUrl, '--images-account', account],
  ...['--images-token', tokens.api, '--report', report],
]

/** Starts `touchstone test` in its own process, and kills it when `isReady` returns true. */
async function killWhen(isReady: () => boolean, words: readonly string[]): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [command, 'test', ...words], {
    stdio: 'ignore',
    cwd: folder,
  })
  const ended = once(child, 'close')
  while (!isReady()) {
    expect(child.exitCode).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill('SIGKILL')
  await ended
}

group('touchstone clean', () => {
  test('removes the images and variants of a killed run, and nothing else', async () => {
    const server = await serveImages()
    const { images, variants } = server.store
    await killWhen(() => images.size > 30 && variants.size > 1, optionsFor(server))
    const listed = await clean(...optionsFor(server), '--dry-run')
    expect(listed.out).toMatch(/^Left on the server:\n {2}(DELETE|what POST) http/)
    expect(listed.out).not.toContain(server.options.tokens.api)
    expect(images.size).toBeGreaterThan(30)
    const { status, out } = await clean(...optionsFor(server))
    expect(out).toMatch(/^Removed \d+ resources or settings\.\nNothing is left\.\n$/)
    expect(status).toBe(0)
    expect(storedIn(server)).toEqual(['existing'])
    expect([...variants.keys()]).toEqual(['public'])
    expect(existsSync(join(report, 'created.ndjson'))).toBe(false)
    expect((await clean(...optionsFor(server))).out).toContain('Nothing is left')
  })

  test('removes images whose upload had no response when the run was killed', async () => {
    let stored = 0
    const server = await serveImages(async (call, next) => {
      const reply = await next()
      if (call.operation !== 'uploadImage' || reply.status !== 200) return reply
      stored += 1
      // Never responds.
      return new Promise(() => {})
    })
    await killWhen(() => stored > 0, [...optionsFor(server), '--only', 'IMG-UPLOAD-05'])
    expect(server.store.images.size).toBe(1 + stored)
    const { status, out } = await clean(...optionsFor(server))
    expect(status, out).toBe(0)
    expect(storedIn(server)).toEqual(['existing'])
  })

  test('restores a setting that a killed run changed', async () => {
    let changes = 0
    const server = await serveImages(async (call, next) => {
      if (call.operation === 'updateConfig') changes += 1
      // The request that restores the setting is never processed.
      return changes > 1 ? new Promise(() => {}) : next()
    })
    server.store.flexibleVariants = true
    const options = [...optionsFor(server), '--images-flexible-variants', 'true']
    await killWhen(() => changes > 1, [...options, '--only', 'IMG-CONFIG'])
    expect(server.store.flexibleVariants).toBe(false)
    changes = Number.NEGATIVE_INFINITY
    const { status, out } = await clean(...options)
    expect(status, out).toBe(0)
    expect(server.store.flexibleVariants).toBe(true)
  })

  test('names what the server refuses to delete, and keeps it in the list', async () => {
    let refuses = true
    const server = await serveImages(async (call, next) =>
      refuses && call.operation === 'deleteImage'
        ? { status: 500, body: { success: false, errors: [] } }
        : next(),
    )
    await killWhen(() => server.store.images.size > 1, optionsFor(server))
    const { status, out } = await clean(...optionsFor(server))
    expect(status).toBe(1)
    expect(out).toMatch(/\nCould not be removed:\n {2}DELETE http\S+ returned 500/)
    refuses = false
    expect((await clean(...optionsFor(server), '--json')).status).toBe(0)
    expect(storedIn(server)).toEqual(['existing'])
  })

  test('sends nothing to a server that is not part of the target', async () => {
    const server = await serveImages()
    await killWhen(() => server.store.images.size > 1, optionsFor(server))
    const { size } = server.store.images
    const another = await serveImages()
    const { status, out } = await clean(...optionsFor(another))
    expect(status).toBe(1)
    expect(out).toContain('no request was sent, because the target file names another server')
    expect(server.store.images.size).toBe(size)
    expect(another.store.images.size).toBe(1)
  })

  test('with --forget, forgets what is left', async () => {
    const server = await serveImages()
    await killWhen(() => server.store.images.size > 1, optionsFor(server))
    const { status, out } = await clean('--report', report, '--forget')
    expect({ status, out }).toEqual({
      status: 0,
      out: `${join(report, 'created.ndjson')} is deleted.\n`,
    })
    expect(existsSync(join(report, 'created.ndjson'))).toBe(false)
  })

  test('asks for the target if none is named', async () => {
    const server = await serveImages()
    await killWhen(() => server.store.images.size > 1, optionsFor(server))
    const { status, error } = await clean('--report', report)
    expect(status).toBe(3)
    expect(error).toContain('name the target of that run')
  })

  test('the next run says that the last one was killed', async () => {
    const server = await serveImages()
    await killWhen(() => server.store.images.size > 1, optionsFor(server))
    const child = spawn(
      process.execPath,
      [command, 'test', ...optionsFor(server), '--only', 'IMG-CONFIG-01'],
      { cwd: folder },
    )
    let error = ''
    child.stderr.on('data', (chunk) => {
      error += String(chunk)
    })
    child.stdout.resume()
    await once(child, 'close')
    expect(error).toMatch(/^An earlier run did not end, and left \d+ resources? or settings? on/)
    const { accountUrl, options } = server
    expect(error).toContain(
      `npx touchstone clean --images-url ${accountUrl} --images-account ${options.account} --images-token "$IMAGES_TOKEN" --report ${report}\n`,
    )
  })

  test('deletes the hooks of a killed run, or names them', async () => {
    const server = await startHooks({})
    closers.push(() => server.close())
    const options = [
      ...['--hooks-url', server.url, '--hooks-project', server.options.project],
      ...['--hooks-token', server.options.token, '--report', report],
    ]
    const hooks = () => server.store.list().length
    const before = hooks()
    await killWhen(() => hooks() > before + 3, options)
    const { status, out } = await clean(...options)
    // Hooks cannot be searched, so those whose creation had no response when the run was killed
    // are only named.
    const possible = Number(/(\d+) possible hook/.exec(out)?.[1] ?? 0)
    expect(status, out).toBe(possible > 0 ? 1 : 0)
    const remaining = server.store.list().slice(before)
    expect(remaining.length).toBeLessThanOrEqual(possible)
    for (const { url } of remaining) expect(out).toContain(url.split('?')[0])
  })

  test('deletes no hooks whose ids the server has given to others after a restart', async () => {
    const server = await startHooks({})
    closers.push(() => server.close())
    const { port } = new URL(server.url)
    const options = [
      ...['--hooks-url', server.url, '--hooks-project', server.options.project],
      ...['--hooks-token', server.options.token, '--report', report],
    ]
    await killWhen(() => server.store.list().length > 3, options)
    await server.close()
    const url = 'https://receiver.example/hook'
    const restarted = await startHooks({
      port: Number(port),
      initial: { hooks: Array.from({ length: 4 }, () => ({ url })) },
    })
    closers.push(() => restarted.close())
    const { status, out } = await clean(...options)
    expect(status, out).toBe(1)
    expect(out).toMatch(/not deleted, because it is not what the run created/)
    expect(restarted.store.list().map((hook) => hook.url)).toEqual([url, url, url, url])
  })

  test('deletes hooks that the server does not show only with --force', async () => {
    const server = await startHooks({
      around: async (call, next) =>
        call.operation === 'getHook' ? { status: 405, body: {} } : next(),
    })
    closers.push(() => server.close())
    const options = [
      ...['--hooks-url', server.url, '--hooks-project', server.options.project],
      ...['--hooks-token', server.options.token, '--report', report],
    ]
    await killWhen(() => server.store.list().length > 30, options)
    const { length } = server.store.list()
    const refused = await clean(...options)
    expect(refused.status).toBe(1)
    expect(refused.out).toContain('--force deletes it')
    expect(server.store.list().length).toBe(length)
    const { out } = await clean(...options, '--force')
    const possible = Number(/(\d+) possible hook/.exec(out)?.[1] ?? 0)
    expect(server.store.list().length).toBeLessThanOrEqual(possible)
    expect(possible).toBeLessThan(length)
  })
})
