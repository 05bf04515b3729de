import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // By default one processor is left idle, which on two of them doubles the time.
    maxWorkers: availableParallelism(),
    // No test judges how fast the machine is: what hangs is ended, what is slow is not.
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
