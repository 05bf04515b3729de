import { readFileSync, writeFileSync } from 'node:fs'

// Loaded with --import into the process that is measured. Writes its peak memory, in bytes, to the
// file that the environment names.
const file = process.env['TOUCHSTONE_PEAK_MEMORY_FILE']
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(peakMemory())))

/** On Linux, the maxRSS of a process includes the memory of its parent, so this reads VmHWM. */
function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) * 1024
  } catch {
    // Another operating system.
  }
  return process.resourceUsage().maxRSS * 1024
}
