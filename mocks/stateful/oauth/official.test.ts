import { expect, test } from 'vitest'
import { runOfficialClient } from './official.testing.ts'
import { ada, moveClockAhead, TestBrowser, startProvider } from './oauth.testing.ts'

test('the official client registers, obtains consent, calls tools, and refreshes', async () => {
  const { server, origin } = await startProvider()
  const { client, memory } = await runOfficialClient(server, async (url) => {
    const browser = new TestBrowser()
    const { text } = await browser.open(url.href)
    return (await browser.send(origin, text, { ...ada, decision: 'approve' })).location
  })
  const status = async () =>
    (
      (await client.callTool({ name: 'shelf_show_status', arguments: {} })) as {
        content: { text: string }[]
      }
    ).content[0]?.text
  expect(await status()).toContain('**User**: ada')
  const before = memory.storedTokens?.access_token
  await moveClockAhead(server, 3601)
  expect(await status()).toContain('**User**: ada')
  expect(memory.storedTokens?.access_token).not.toBe(before)
})
