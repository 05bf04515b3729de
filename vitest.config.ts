import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const sourceOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // The programs in examples/ import the package. Their tests use its sources, not the build.
    alias: {
      'touchstone/events': sourceOf('kit/events/index.ts'),
      'touchstone/images': sourceOf('kit/images/index.ts'),
    },
  },
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
