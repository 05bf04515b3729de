import { z } from 'zod'
import { defineFixture, newTextResult, pause } from './fixture.ts'

/** The pause between two notifications, in milliseconds. */
const pauseMs = 50

export const toolWithLogging = defineFixture({
  name: 'test_tool_with_logging',
  title: 'Log messages',
  description: 'Sends three log messages while it runs.',
  input: z.object({}),
  async run(call) {
    await call.client.log('info', 'Tool execution started')
    await pause(call, pauseMs)
    await call.client.log('info', 'Tool processing data')
    await pause(call, pauseMs)
    await call.client.log('info', 'Tool execution completed')
    return newTextResult('Three log messages were sent.')
  },
})

export const toolWithProgress = defineFixture({
  name: 'test_tool_with_progress',
  title: 'Progress',
  description: 'Reports its progress three times while it runs.',
  input: z.object({}),
  async run(call) {
    await call.client.progress(0, 100, 'Started')
    await pause(call, pauseMs)
    await call.client.progress(50, 100, 'Halfway')
    await pause(call, pauseMs)
    await call.client.progress(100, 100, 'Completed')
    return newTextResult('The progress was reported three times.')
  },
})
