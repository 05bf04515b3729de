import { UsageError } from '../../print-error.ts'
import type { Plan, PlanOptions, Step } from './plan.ts'

/** The options that select what is sent, and when. */
export interface FileOptions extends PlanOptions {
  file?: string[]
  pace?: string
  rate?: string
  print?: boolean
}

/**
 * Reads --file and --pace; `files` is undefined if sample payloads are sent. Throws `UsageError` if
 * these options are combined with others that have no effect on saved deliveries.
 */
export function fileOptions(
  word: string | undefined,
  options: FileOptions,
): { files: readonly string[] | undefined; keepsPace: boolean } {
  const { file, pace } = options
  if (file === undefined) {
    if (pace !== undefined) throw new UsageError('--pace has an effect only together with --file')
    return { files: undefined, keepsPace: false }
  }
  if (word !== undefined)
    throw new UsageError(`--file sends saved deliveries: remove the event ${word}, or --file`)
  const samples = (['action', 'all', 'print', 'seed', 'set', 'story'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (samples !== undefined)
    throw new UsageError(`--${samples} is for sample payloads: it cannot be combined with --file`)
  if (pace !== undefined && pace !== 'original' && pace !== 'none')
    throw new UsageError(`--pace must be original or none, not ${pace}`)
  const other = (['rate', 'repeat'] as const).find((name) => options[name] !== undefined)
  if (pace === 'original' && other !== undefined)
    throw new UsageError(`--pace original keeps the original times: remove --${other}`)
  return { files: file, keepsPace: pace === 'original' }
}

/**
 * Returns notes for people about saved deliveries: how long they take at the original pace, and
 * what is not sent. Throws `UsageError` if a delivery has no time, but the original pace is set.
 */
export function paceNotes(
  { steps }: Plan,
  { keepsPace, token }: { keepsPace: boolean; token?: string | undefined },
): string[] {
  const notes: string[] = []
  if (keepsPace) {
    const undated = steps.find(({ receivedAt }) => receivedAt === undefined)
    if (undated !== undefined)
      throw new UsageError(
        `--pace original: ${undated.file} does not contain the time at which it was received (receivedAt).\nNext: send the deliveries with --pace none.`,
      )
    const first = steps[0]!.receivedAt!
    const latest = steps.reduce((at, { receivedAt }) => Math.max(at, receivedAt!), first)
    notes.push(`original pace: ${formatSpan(latest - first)}`)
  }
  const names = [...new Set(steps.flatMap((step) => headersNotSent(step, token)))]
  if (names.length > 0)
    notes.push(`headers not sent, because their values were not saved: ${names.join(', ')}`)
  if (names.some(isToken)) notes.push('To send a token, set RECEIVER_SECRET or use --token.')
  return notes
}

/** Returns the names of the saved headers that are not sent. */
export function headersNotSent(
  { headersNotSaved = [] }: Step,
  token: string | undefined,
): readonly string[] {
  return headersNotSaved.filter((name) => token === undefined || !isToken(name))
}

const isToken = (name: string): boolean => name.toLowerCase() === 'x-hook-token'

function formatSpan(milliseconds: number): string {
  const seconds = milliseconds / 1000
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}
