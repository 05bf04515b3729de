import { defineConfig } from 'vitest/config'

// No test judges how fast the machine is: what hangs is ended, what is slow is not.
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 300_000 } })
