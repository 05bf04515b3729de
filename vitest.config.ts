import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // By default one processor is left idle, which on two of them doubles the time.
    maxWorkers: availableParallelism(),
    // Files of one worker share the modules that they import, which halves the time.
    isolate: false,
    // No test judges how fast the machine is, and none has its own timeout: a test that hangs
    // is ended, a slow one is not.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
