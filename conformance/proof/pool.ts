import { Worker } from 'node:worker_threads'
import type { Job, JobResult } from './jobs.ts'

/**
 * Runs jobs in worker threads, one at a time in each. Returns the results in the order of the jobs.
 */
export async function runJobs(
  jobs: readonly Job[],
  workers: readonly Worker[],
  onDone: (count: number, result: JobResult) => void = () => {},
): Promise<JobResult[]> {
  const results: JobResult[] = []
  let next = 0
  let done = 0
  await Promise.all(
    workers.map(async (worker) => {
      while (next < jobs.length) {
        const index = next
        next += 1
        const result = await runOn(worker, jobs[index]!)
        results[index] = result
        onDone((done += 1), result)
      }
    }),
  )
  return results
}

/**
 * The maximum duration of one job in milliseconds. It is about a thousand times the usual duration,
 * so that a busy machine does not exceed it.
 */
const maxJobMs = 900_000

/**
 * A trial creates many objects and keeps few of them. With more memory for young objects, garbage
 * is collected less often.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

/** Starts threads for the proof. Each judges its own servers, on loopback. */
export function startWorkers(count: number): Worker[] {
  return Array.from(
    { length: count },
    () => new Worker(new URL('./worker.js', import.meta.url), { resourceLimits }),
  )
}

function runOn(worker: Worker, job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    // Without this timeout, a trial that hangs would stop the proof, and no message would name it.
    const timeout = setTimeout(
      () =>
        reject(
          new Error(`no result within ${maxJobMs / 1000} s: ${JSON.stringify(job).slice(0, 200)}`),
        ),
      maxJobMs,
    )
    const onMessage = ({ result, error }: { result?: JobResult; error?: string }) => {
      clearTimeout(timeout)
      worker.off('error', reject)
      if (result === undefined) reject(new Error(error ?? 'a worker returned no result'))
      else resolve(result)
    }
    worker.once('error', reject)
    worker.once('message', onMessage)
    worker.postMessage(job)
  })
}
