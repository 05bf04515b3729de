import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // By default, vitest leaves one processor idle. On a machine with two processors, that doubles
    // the time.
    maxWorkers: availableParallelism(),
    // The test files of one worker share the modules that they import, which halves the time.
    isolate: false,
    // A slow machine must not fail a test, so these timeouts only end tests that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
