import { printableJson } from '../../../conformance/engine/index.ts'
import { newRedactor } from '../../../conformance/wire/secrets.ts'
import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { findEvent } from '../deliveries/event.ts'
import { exitOnClosedOutput, LineWriter } from '../deliveries/lines.ts'
import {
  countOf,
  receiverUrlOf,
  secretOf,
  secretVariable,
  shownUrl,
  timeoutOf,
} from '../deliveries/options.ts'
import { buildPlan, type Plan, type SamplePlan } from './plan.ts'
import { fileOptions, headersNotSent, paceNotes, type FileOptions } from './file-options.ts'
import { post, type PostingOptions } from './post.ts'
import { chooseHint, hintFor, EmitPrinter } from './print.ts'
import { isAcknowledged, isRefused, round, Tally } from './tally.ts'

/** The options as commander returns them. */
interface Options extends FileOptions {
  to?: string
  token?: string
  wrongToken?: boolean
  timeout?: string
  insecure?: boolean
  list?: boolean
  json?: boolean
}

/** `touchstone emit`: sends, prints or lists payloads. */
export async function run(word: string | undefined, options: Options): Promise<void> {
  exitOnClosedOutput()
  if (options.list === true) {
    const { formatEventList } = await import('./list.ts')
    process.stdout.write(
      formatEventList(word === undefined ? undefined : findEvent(word).name, options.json === true),
    )
    return
  }
  const times = options.repeat === undefined ? 1 : countOf('--repeat', options.repeat)
  const { files, keepsPace } = fileOptions(word, options)
  let plan: Plan
  if (files === undefined) {
    const samples = await buildPlan(word, options, times)
    if (options.print === true) return print(samples)
    plan = samples
  } else {
    const { buildSavedPlan } = await import('./saved-plan.ts')
    plan = await buildSavedPlan(files, times)
  }
  const controller = new AbortController()
  const posting = { ...postingOptions(options, controller.signal), keepsPace }
  const notes = paceNotes(plan, posting)
  const stopListening = onInterrupt(() => controller.abort())
  try {
    process.exitCode = await sendAll({ plan, posting, notes }, options)
  } finally {
    stopListening()
  }
}

async function sendAll(
  { plan, posting, notes }: { plan: Plan; posting: PostingOptions; notes: readonly string[] },
  { json = false, token, wrongToken = false }: Options,
): Promise<number> {
  const total = plan.steps.length * plan.times
  const tally = new Tally(total)
  const redact = newRedactor({ [secretVariable]: secretOf(token) })
  const lines = new LineWriter()
  const printer = json ? undefined : new EmitPrinter(plan, { hasWrongToken: wrongToken })
  const hints = new Set<string>()
  printer?.start(shownUrl(posting.url), total, tally, notes)
  await post(plan, posting, (step, result) => {
    const sent = { ...result, body: redact(result.body) }
    const acknowledged = isAcknowledged(sent)
    tally.add(sent)
    if (wrongToken ? !isRefused(sent) : !acknowledged) {
      const hint = hintFor(sent, {
        token: wrongToken ? 'wrong' : posting.token === undefined ? 'none' : 'set',
        insecure: posting.insecure,
        method: step.method,
      })
      if (hint !== undefined) hints.add(hint)
    }
    printer?.result(step, sent)
    if (printer !== undefined || plan.times > 1) return
    const { status = null, durationMs, body, failure } = sent
    lines.add(
      printableJson({
        event: step.event ?? null,
        ...(step.file === undefined
          ? {}
          : { file: step.file, headersNotSent: headersNotSent(step, posting.token) }),
        ...(step.name === undefined ? {} : { action: step.name }),
        status,
        acknowledged,
        durationMs: round(durationMs),
        body,
        ...(failure === undefined ? {} : { failure }),
      }),
    )
    lines.flush()
  })
  const figures = tally.figures()
  const good = tally.asExpected(wrongToken)
  const exit = posting.signal.aborted ? 130 : good < figures.deliveries ? 1 : 0
  printer?.end(figures, good, chooseHint(hints, figures))
  if (printer === undefined) lines.add(printableJson({ summary: { ...figures, exit } }))
  lines.flush()
  return exit
}

/**
 * Prints a single payload with indentation, or several payloads one per line. `touchstone validate`
 * reads both formats.
 */
function print(plan: SamplePlan): void {
  const lines = new LineWriter()
  const single = plan.steps.length * plan.times === 1
  for (let round = 0; round < plan.times; round += 1) {
    for (const step of plan.steps)
      lines.add(
        single
          ? JSON.stringify(JSON.parse(plan.body(step, round)), null, 2)
          : plan.body(step, round),
      )
  }
  lines.flush()
}

function postingOptions(
  { to, token, wrongToken = false, rate, timeout = '10s', insecure = false }: Options,
  signal: AbortSignal,
): PostingOptions {
  if (to === undefined)
    throw new UsageError(
      '--to is missing: the URL of the receiver, such as http://127.0.0.1:4040/hook. npx touchstone listen starts a receiver; --print sends nothing',
    )
  const secret = secretOf(token)
  return {
    url: receiverUrlOf('--to', to),
    token: wrongToken ? wrongTokenFor(secret ?? '') : secret,
    insecure,
    timeoutMs: timeoutOf('--timeout', timeout),
    ...(rate === undefined ? {} : { rate: rateOf(rate) }),
    signal,
  }
}

/** Returns a token that differs from the secret. The token has the same length if possible. */
function wrongTokenFor(secret: string): string {
  const other = 'wrong-token-'
    .repeat(1 + secret.length / 12)
    .slice(0, secret.length === 0 ? 11 : secret.length)
  return other === secret ? `${other}x` : other
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || rate === 0)
    throw new UsageError(`--rate must be a number above 0, not ${text}`)
  return rate
}

/**
 * Calls `cancel` on the first Ctrl-C, SIGTERM or SIGHUP, after which the results so far are
 * printed. Exits immediately on the second. Returns a function that removes the listeners.
 */
function onInterrupt(cancel: () => void): () => void {
  let isInterrupted = false
  const interrupt = () => {
    if (isInterrupted) process.exit(130)
    isInterrupted = true
    cancel()
  }
  return onStopSignal(interrupt)
}
