import { randomBytes, randomUUID } from 'node:crypto'
import { startImages } from '../../mocks/stateful/images.ts'

/** The message that the process sends when the server is ready. */
export interface ReadyMessage {
  account: string
  token: string
  id: string
  usedBytes: number
  imageBytes: number
}

// Runs the stateful image server in its own process. The first argument is the number of images.
const count = Number(process.argv[2])
const before = used()
const server = await startImages()
const { store, clock } = server.context
for (let number = 0; number < count; number += 1) {
  store.add({
    id: randomUUID(),
    filename: `image-${number}.png`,
    uploaded: clock.now() + number,
    requireSignedURLs: false,
    metadata: { number, title: `image ${number}` },
    draft: false,
    bytes: randomBytes(64),
    type: 'image/png',
  })
}

process.on('message', (question: { cpu?: true; used?: true }) => {
  process.send?.(question.used === true ? { used: used() - before } : process.cpuUsage())
})
// The benchmark disconnects from this process when it has ended.
process.on('disconnect', () => process.exit())
process.send?.({
  account: `${server.accountUrl}/accounts/${server.options.account}`,
  token: server.options.tokens.api,
  id: store.listed[0]?.id ?? '',
  usedBytes: used() - before,
  imageBytes: count * 64,
} satisfies ReadyMessage)

function used(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
