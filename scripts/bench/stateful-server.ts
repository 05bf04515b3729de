import { randomBytes, randomUUID } from 'node:crypto'
import { startImages } from '../../mocks/stateful/images.ts'

/** What the server says when it is ready. */
export interface StatefulServer {
  account: string
  token: string
  id: string
  usedBytes: number
  pictureBytes: number
}

// The stateful image server in a process of its own, with as many pictures as the first argument says.
const count = Number(process.argv[2])
const before = used()
const server = await startImages()
const { store, clock } = server.context
for (let number = 0; number < count; number += 1) {
  store.add({
    id: randomUUID(),
    filename: `picture-${number}.png`,
    uploaded: clock.now() + number,
    requireSignedURLs: false,
    metadata: { number, title: `picture ${number}` },
    draft: false,
    bytes: randomBytes(64),
    type: 'image/png',
  })
}

process.on('message', (question: { cpu?: true; used?: true }) => {
  process.send?.(question.used === true ? { used: used() - before } : process.cpuUsage())
})
// Nobody is left to ask.
process.on('disconnect', () => process.exit())
process.send?.({
  account: `${server.account}/accounts/${server.options.account}`,
  token: server.options.tokens.api,
  id: store.listed[0]?.id ?? '',
  usedBytes: used() - before,
  pictureBytes: count * 64,
} satisfies StatefulServer)

function used(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
