import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Section } from '../../../conformance/suite.ts'
import type { Target } from '../../../conformance/target.ts'
import type { Pattern } from './patterns.ts'

/** What the thread of the bundled servers starts. */
export interface BundledRequest {
  sections: readonly Section[]
  pattern: Pattern
  /** The arguments of `node` that run the command `touchstone`. */
  touchstoneArguments: readonly string[]
}

/** The answer of the thread, when the servers listen. */
export interface BundledTarget {
  target: Omit<Target, 'suite'>
  /**
   * Settings of the suite: short waiting times, which suffice if the suite and the servers run on
   * one machine.
   */
  suite: Partial<Target['suite']>
}

const ending = extname(import.meta.url)

/**
 * The module of the thread. Threads do not inherit the loader of TypeScript, so if this module is a
 * source file, that module registers the loader first.
 */
function threadModule(): URL {
  const module = new URL(`./bundled-servers${ending}`, import.meta.url)
  if (ending === '.js') return module
  const code = `import { register } from '${import.meta.resolve('tsx/esm/api')}'
    register()
    await import('${module.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/**
 * Starts the bundled servers of these sections of the target file on free ports. The tool server
 * authenticates with `pattern`. The servers run in a thread, so that they answer while this thread
 * examines earlier answers.
 */
export async function startBundled(
  sections: readonly Section[],
  pattern: Pattern,
): Promise<BundledTarget & { close(): Promise<void> }> {
  const touchstone = fileURLToPath(new URL(`../../touchstone${ending}`, import.meta.url))
  const request: BundledRequest = {
    sections,
    pattern,
    touchstoneArguments: ending === '.js' ? [touchstone] : ['--import', 'tsx', touchstone],
  }
  const thread = new Worker(threadModule(), { workerData: request })
  // Rejects if the thread throws.
  const [answer] = (await once(thread, 'message')) as [BundledTarget]
  return {
    ...answer,
    async close() {
      const end = once(thread, 'exit')
      thread.postMessage('close')
      await end
    },
  }
}
