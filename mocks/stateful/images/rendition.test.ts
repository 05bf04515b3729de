import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFixture, type ImagesFixture } from './images.testing.ts'
import { planRendition } from './rendition.ts'

let fixture: ImagesFixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.server.close())

const landscape = { width: 150, height: 100 }

test.each([
  ['scale-down', 60, 90, '60×40'],
  ['scale-down', 300, 300, '150×100'],
  ['contain', 300, 300, '300×200'],
  ['cover', 60, 90, '60×90'],
  ['cover', 300, 300, '300×300'],
  ['crop', 60, 90, '60×90'],
  ['crop', 300, 40, '150×40'],
  ['crop', 300, 300, '150×100'],
  ['pad', 60, 90, '60×90'],
])('%s within %i × %i makes the image %s', (fit, width, height, expected) => {
  const { canvas } = planRendition(landscape, { fit, width, height })
  expect(`${canvas.width}×${canvas.height}`).toBe(expected)
})

const png = ({ width, height } = landscape) => {
  const image = new PNG({ width, height })
  for (let at = 0; at < image.data.length; at += 4) image.data.set([200, 40, 40, 255], at)
  return PNG.sync.write(image)
}

async function deliver(file: Uint8Array, options: Record<string, unknown>): Promise<Response> {
  const id = `v${Math.random().toString(36).slice(2)}`
  await fixture.call('POST', '/images/v1/variants', { json: { id, options } })
  const { result } = await fixture.upload({}, file)
  return fetch((result.variants as string[]).find((url) => url.endsWith(`/${id}`))!)
}

test('resizes PNG images, and keeps their colours', async () => {
  const response = await deliver(png(), { fit: 'pad', width: 80, height: 80 })
  const { width, height, data } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  expect([width, height]).toEqual([80, 80])
  expect([...data.subarray(0, 4)]).toEqual([255, 255, 255, 255])
  expect([...data.subarray((40 * 80 + 40) * 4).subarray(0, 4)]).toEqual([200, 40, 40, 255])
})

test('does not change images that are small enough', async () => {
  const response = await deliver(png(), { fit: 'scale-down', width: 150, height: 100 })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png())
})

test('returns 502 for an image that it cannot resize', async () => {
  const small = { fit: 'scale-down', width: 20, height: 20 }
  const damaged = Buffer.from(png()).fill(0, 50, 90)
  expect((await deliver(damaged, small)).status).toBe(502)
  const gif = Buffer.from('GIF89a\x40\0\x40\0\0\0\0;', 'latin1')
  expect((await deliver(gif, small)).status).toBe(502)
  expect((await deliver(gif, { ...small, width: 64, height: 64 })).status).toBe(200)
})

test('applies flexible variants', async () => {
  await fixture.call('PATCH', '/images/v1/config', { json: { flexible_variants: true } })
  const { result } = await fixture.upload({}, png())
  const base = (result.variants as string[])[0]!.replace(/[^/]*$/, '')
  const response = await fetch(`${base}w=30,fit=cover,h=20`)
  const { width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  expect([width, height]).toEqual([30, 20])
  expect((await fetch(`${base}w=0`)).status).toBe(502)
})
