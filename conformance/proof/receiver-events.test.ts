import { expect, test } from 'vitest'
import { eventNames } from '../../generated/events/contract.ts'
import { startReceiver } from '../../mocks/stateful/receiver.ts'
import { judge } from '../judge.ts'
import { plan } from '../suite.ts'
import { loadTarget } from '../target.ts'

// The conforming servers of the proof handle all events.
test.each(eventNames)('a receiver that handles only %s conforms', async (event) => {
  const { url, options, close } = await startReceiver()
  try {
    const text = JSON.stringify({ receiver: { url, secret: options.secret, events: [event] } })
    const target = await loadTarget({ text })
    const { verdicts, crashes } = await judge({ target, planned: await plan({}, ['receiver']) })
    expect(crashes).toEqual([])
    const unmet = verdicts.filter(
      ({ verdict }) => !['pass', 'observed', 'not covered', 'not applicable'].includes(verdict),
    )
    expect(unmet.map(({ key, verdict }) => `${verdict}: ${key}`)).toEqual([])
    expect(verdicts.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(15)
  } finally {
    await close()
  }
})
