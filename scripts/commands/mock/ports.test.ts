import { expect, test } from 'vitest'
import { planPorts } from './ports.ts'

test.each([
  [['abc'], 'TOUCHSTONE_PORT: abc is neither a port nor NAME=PORT'],
  [
    ['acount=1'],
    'TOUCHSTONE_PORT: acount=…: there is no mock or server of that name. Did you mean',
  ],
])('an error about the ports %j names the variable that contains them', async (ports, error) => {
  await expect(planPorts(['images'], ports, 'TOUCHSTONE_PORT:')).rejects.toThrow(error)
})

test('a conflict suggests the name of the mock, unless it has several servers', async () => {
  await expect(planPorts(['hooks', 'receiver'], ['hooks=5000', 'receiver=5000'])).rejects.toThrow(
    '--port receiver=PORT',
  )
  await expect(planPorts(['images'], ['5000', 'batch=5000'])).rejects.toThrow('--port batch=PORT')
})
