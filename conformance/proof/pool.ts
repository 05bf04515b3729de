import { Worker } from 'node:worker_threads'
import type { Job, JobResult } from './jobs.ts'

/** Does jobs in worker threads, one at a time in each, and gives the results in the order of the jobs. */
export async function workAll(
  jobs: readonly Job[],
  workers: readonly Worker[],
  done: (count: number) => void = () => {},
): Promise<JobResult[]> {
  const results: JobResult[] = []
  let next = 0
  let finished = 0
  await Promise.all(
    workers.map(async (worker) => {
      while (next < jobs.length) {
        const index = next
        next += 1
        results[index] = await ask(worker, jobs[index]!)
        done((finished += 1))
      }
    }),
  )
  return results
}

/** Milliseconds that one job may take: some thousand times what it needs, so that a busy machine does not end it. */
const bound = 900_000

/** Room for young objects: a trial makes many, and keeps few. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

/** Threads for the proof: each judges servers of its own, on loopback. */
export function startWorkers(count: number): Worker[] {
  return Array.from(
    { length: count },
    () => new Worker(new URL('./worker.js', import.meta.url), { resourceLimits }),
  )
}

function ask(worker: Worker, job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    // A trial that hangs would hang the proof without a word of which one it was.
    const late = setTimeout(
      () =>
        reject(
          new Error(`no result within ${bound / 1000} s: ${JSON.stringify(job).slice(0, 200)}`),
        ),
      bound,
    )
    const answered = ({ result, error }: { result?: JobResult; error?: string }) => {
      clearTimeout(late)
      worker.off('error', reject)
      if (result === undefined) reject(new Error(error ?? 'a worker gave nothing'))
      else resolve(result)
    }
    worker.once('error', reject)
    worker.once('message', answered)
    worker.postMessage(job)
  })
}
