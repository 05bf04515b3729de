import { parentPort } from 'node:worker_threads'
import { runJob, type Job } from './jobs.ts'

parentPort!.on('message', (job: Job) => {
  runJob(job).then(
    (result) => parentPort!.postMessage({ result }),
    (error: unknown) =>
      parentPort!.postMessage({
        error: `${job.kind} ${'name' in job ? job.name : ''}: ${error instanceof Error ? error.stack : String(error)}`,
      }),
  )
})
