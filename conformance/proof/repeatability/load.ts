import { spawn } from 'node:child_process'

/** Keeps processors busy with processes that calculate without end. Returns how to end them. */
export function startLoad(processes: number): () => void {
  const children = Array.from({ length: processes }, () =>
    // A process that loses its parent ends, because its input ends.
    spawn(
      process.execPath,
      [
        '-e',
        `process.stdin.resume().on('end', () => process.exit())
        const work = () => {
          for (const until = Date.now() + 50; Date.now() < until; );
          setImmediate(work)
        }
        work()`,
      ],
      { stdio: ['pipe', 'ignore', 'ignore'] },
    ),
  )
  return () => children.forEach((child) => child.kill())
}
