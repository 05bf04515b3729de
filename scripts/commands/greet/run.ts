import { bidirectionalGreeting as method } from '../../../generated/greeting/index.ts'
import type { GrpcChannel } from '../../../conformance/wire/index.ts'
import { GrpcClient } from '../../../conformance/wire/grpc.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { givenNames, namesFrom } from './names.ts'
import { endLine } from './print.ts'
import { findService } from './service.ts'
import { settingsOf, type GreetOptions } from './settings.ts'
import { talk } from './talk.ts'

/** Where it reads and writes; the process's own streams, but in tests. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
  errors: NodeJS.WritableStream
}

/** `touchstone greet`: connects, finds the service, talks. */
export async function run(
  address: string,
  names: readonly string[],
  options: GreetOptions,
): Promise<void> {
  exitOnClosedOutput()
  const { stdin: input, stdout: output, stderr: errors } = process
  process.exitCode = await greet(address, names, options, { input, output, errors })
  // Whoever writes to it may still hold it open.
  input.destroy()
}

/** The exit status: 0 where the stream ended with OK. */
export async function greet(
  given: string,
  names: readonly string[],
  options: GreetOptions,
  { input, output, errors }: Terminal,
): Promise<0 | 1 | 130> {
  const { address, tls, metadata, service } = settingsOf(given, options)
  const door = GrpcClient.open({ address, tls, metadata })
  const complain = (text: string): 1 => {
    errors.write(`error: ${text.replaceAll('\n', '\n       ')}\n`)
    return 1
  }
  try {
    const channel = await door.openChannel()
    if (channel.failure !== undefined)
      return complain(`${address}: ${channel.failure}${hintFor(channel, options)}`)
    const found = service === undefined ? await findService(channel) : { service, others: [] }
    if ('why' in found) return complain(found.why)
    if (found.others.length > 0)
      errors.write(`${found.service} is called; ${found.others.join(', ')} would do too\n`)
    return await talkOver(channel, found.service, names, options.json === true, {
      input,
      output,
      errors,
    })
  } finally {
    door.close()
  }
}

async function talkOver(
  channel: GrpcChannel,
  service: string,
  given: readonly string[],
  json: boolean,
  { input, output, errors }: Terminal,
): Promise<0 | 1 | 130> {
  const stream = channel.call({
    operation: 'greet',
    path: `/${service}/${method.name}`,
    timeout: Number.POSITIVE_INFINITY,
  })
  const interrupt = () => stream.cancel()
  process.once('SIGINT', interrupt)
  const names = given.length > 0 ? givenNames(given, output) : namesFrom(input, output, interrupt)
  const end = await talk(stream, names, { json })
  process.off('SIGINT', interrupt)
  const { sentCount: sent, receivedCount: came, milliseconds, problems } = stream.exchange
  for (const problem of problems) errors.write(`error: ${problem}\n`)
  const line = `${endLine(end, { sent, came, milliseconds }, json)}\n`
  if (json) output.write(line)
  else errors.write(line)
  if (end.grpcStatus === undefined && end.gaveUp === 'cancelled') return 130
  return end.grpcStatus === 0 && problems.length === 0 ? 0 : 1
}

function hintFor({ failureCode }: GrpcChannel, { tls, ca, insecure }: GreetOptions): string {
  if (failureCode === 'untrusted')
    return '\nNext: --ca FILE with the certificate to trust, or --insecure to trust anybody'
  if (failureCode === 'no-tls') return '\nNext: leave out --tls, --ca and --insecure'
  const secure = (tls ?? insecure) === true || ca !== undefined
  const mayBeTls = ['closed', 'no-http2', 'timeout'].includes(failureCode ?? '')
  return !secure && mayBeTls
    ? '\nNext: where it speaks TLS, say --tls, --ca FILE or --insecure'
    : ''
}
