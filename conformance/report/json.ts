import { join } from 'node:path'
import { printableJson } from '../engine/index.ts'
import { profilesOf } from './profiles.ts'
import type { Reporter, Result } from './result.ts'
import { writeReportFile } from './report-file.ts'

/** The whole run as data, in the format of specs/json-schema/report.json. */
export function jsonOf(result: Result): Record<string, unknown> {
  const { suite, target, startedAt, durationMs, strict, seed, exit, totals } = result
  const {
    left,
    proposals,
    crashes,
    verdicts,
    selected = [],
    skipped = [],
    unusedAbsent = [],
    earlierFailures = [],
  } = result
  return {
    suite,
    target,
    startedAt,
    durationMs,
    strict,
    seed,
    exit,
    totals,
    selected,
    skipped,
    profiles: profilesOf(result),
    left,
    proposals,
    unusedAbsent,
    crashes,
    verdicts,
    earlierFailures,
  }
}

/** Writes `report.json`. */
export function jsonReporter(folder: string): Reporter {
  return {
    end: (result) => [
      writeReportFile(join(folder, 'report.json'), `${printableJson(jsonOf(result), 2)}\n`),
    ],
  }
}
