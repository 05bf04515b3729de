import { newRedactor } from '../../../conformance/wire/secrets.ts'
import { addressOf } from '../../../mocks/deliveries/address.ts'
import { UsageError } from '../../complain.ts'
import { eventNamed } from '../deliveries/event.ts'
import { endWithReader, LineWriter } from '../deliveries/lines.ts'
import { countOf, durationOf, secretOf, secretVariable } from '../deliveries/options.ts'
import { planOf, type PlanOptions, type Plan } from './plan.ts'
import { post, type Posting } from './post.ts'
import { hintFor, EmitPrinter } from './print.ts'
import { isAcknowledged, round, Tally } from './tally.ts'

/** The options as commander gives them. */
interface Options extends PlanOptions {
  to?: string
  token?: string
  wrongToken?: boolean
  rate?: string
  timeout?: string
  insecure?: boolean
  print?: boolean
  list?: boolean
  json?: boolean
}

/** `touchstone emit`: finds out what is to be sent, and sends, prints or lists it. */
export async function run(word: string | undefined, options: Options): Promise<void> {
  endWithReader()
  if (options.list === true) {
    const { listed } = await import('./list.ts')
    process.stdout.write(
      listed(word === undefined ? undefined : (await eventNamed(word)).name, options.json === true),
    )
    return
  }
  const plan = await planOf(
    word,
    options,
    options.repeat === undefined ? 1 : countOf('--repeat', options.repeat),
  )
  if (options.print === true) return print(plan)
  const off = new AbortController()
  const posting = postingOf(options, off.signal)
  const stop = onInterrupt(() => off.abort())
  try {
    process.exitCode = await sendAll(plan, posting, options)
  } finally {
    stop()
  }
}

async function sendAll(
  plan: Plan,
  posting: Posting,
  { json = false, token, wrongToken = false }: Options,
): Promise<number> {
  const total = plan.steps.length * plan.times
  const tally = new Tally(total)
  const clean = newRedactor({ [secretVariable]: secretOf(token) })
  const lines = new LineWriter()
  const printer = json ? undefined : new EmitPrinter(plan)
  let hint: string | undefined
  printer?.start(shownUrl(posting.url), total, tally)
  await post(plan, posting, (step, answered) => {
    const sent = { ...answered, body: clean(answered.body) }
    const acknowledged = isAcknowledged(sent)
    tally.add(sent)
    if (!acknowledged)
      hint ??= hintFor(sent, {
        token: wrongToken ? 'wrong' : posting.token === undefined ? 'none' : 'given',
        insecure: posting.insecure,
      })
    printer?.answer(step, sent)
    if (printer !== undefined || plan.times > 1) return
    const { status = null, durationMs, body, failure } = sent
    lines.add(
      JSON.stringify({
        event: step.event,
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
  const exit = posting.signal.aborted ? 130 : figures.acknowledged < figures.deliveries ? 1 : 0
  printer?.end(figures, hint)
  if (printer === undefined) lines.add(JSON.stringify({ summary: { ...figures, exit } }))
  lines.flush()
  return exit
}

/** One payload to be read by people; several one to a line, as validate takes them. */
function print(plan: Plan): void {
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

function postingOf(
  { to, token, wrongToken = false, rate, timeout = '10s', insecure = false }: Options,
  signal: AbortSignal,
): Posting {
  if (to === undefined)
    throw new UsageError(
      '--to has to name the receiver, as in --to http://127.0.0.1:4040/hook. touchstone listen starts one; --print sends nothing',
    )
  if (addressOf(to) === undefined)
    throw new UsageError(`--to is no URL of a receiver: ${to}. It begins with http:// or https://`)
  const secret = secretOf(token)
  return {
    url: to,
    token: wrongToken ? otherThan(secret ?? '') : secret,
    insecure,
    timeoutMs: durationOf('--timeout', timeout),
    ...(rate === undefined ? {} : { rate: rateOf(rate) }),
    signal,
  }
}

/** Another token, as long as the right one. */
function otherThan(secret: string): string {
  const other = 'wrong-token-'
    .repeat(1 + secret.length / 12)
    .slice(0, secret.length === 0 ? 11 : secret.length)
  return other === secret ? `${other}x` : other
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || rate === 0)
    throw new UsageError(`--rate has to be a number above 0, not ${text}`)
  return rate
}

/** A URL without the name and the password in it. */
function shownUrl(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
}

/** The first Ctrl-C ends with what there is to say so far, the second at once. */
function onInterrupt(callOff: () => void): () => void {
  let asked = false
  const interrupt = () => {
    if (asked) process.exit(130)
    asked = true
    callOff()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
}
