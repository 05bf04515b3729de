import { bidirectionalGreeting as method } from '../../../generated/greeting/index.ts'
import type { GrpcChannel } from '../../../conformance/wire/index.ts'
import { GrpcClient } from '../../../conformance/wire/grpc.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { namesFromList, namesFromInput } from './names.ts'
import { endLine } from './print.ts'
import { findService } from './service.ts'
import { settingsOf, type GreetOptions } from './settings.ts'
import { converse } from './converse.ts'

/** The streams that the command uses. Tests replace those of the process. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
  errors: NodeJS.WritableStream
}

/** `touchstone greet`: connects, finds the service, and sends names. */
export async function run(
  address: string,
  names: readonly string[],
  options: GreetOptions,
): Promise<void> {
  exitOnClosedOutput()
  const { stdin: input, stdout: output, stderr: errors } = process
  process.exitCode = await greet(address, names, options, { input, output, errors })
  // A program that writes to the input may keep it open, which would keep this process running.
  input.destroy()
}

/** Returns the exit status: 0 if the stream ended with OK, 130 if it was cancelled, otherwise 1. */
export async function greet(
  given: string,
  names: readonly string[],
  options: GreetOptions,
  { input, output, errors }: Terminal,
): Promise<0 | 1 | 130> {
  const { address, tls, metadata, service } = settingsOf(given, options)
  const client = GrpcClient.open({ address, tls, metadata })
  const printError = (text: string): 1 => {
    errors.write(`error: ${text.replaceAll('\n', '\n       ')}\n`)
    return 1
  }
  try {
    const channel = await client.openChannel()
    if (channel.failure !== undefined)
      return printError(`${address}: ${channel.failure}${hintFor(channel, options)}`)
    const hasCredentials = Object.keys(metadata).some((name) => /^authorization$/i.test(name))
    const found =
      service === undefined
        ? await findService(channel, { hasCredentials })
        : { service, others: [] }
    if ('why' in found) return printError(found.why)
    if (found.others.length > 0)
      errors.write(`calling ${found.service}; ${found.others.join(', ')} could be called too\n`)
    return await callService(channel, found.service, names, options.json === true, {
      input,
      output,
      errors,
    })
  } finally {
    client.close()
  }
}

async function callService(
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
  const names =
    given.length > 0 ? namesFromList(given, output) : namesFromInput(input, output, interrupt)
  const end = await converse(stream, names, { json })
  process.off('SIGINT', interrupt)
  const { sentCount: sent, receivedCount: received, milliseconds, problems } = stream.exchange
  for (const problem of problems) errors.write(`error: ${problem}\n`)
  const line = `${endLine(end, { sent, received, milliseconds }, json)}\n`
  if (json) output.write(line)
  else errors.write(line)
  if (end.grpcStatus === undefined && end.gaveUp === 'cancelled') return 130
  return end.grpcStatus === 0 && problems.length === 0 ? 0 : 1
}

function hintFor({ failureCode }: GrpcChannel, { tls, ca, insecure }: GreetOptions): string {
  if (failureCode === 'untrusted')
    return '\nNext: --ca FILE with the certificate to trust, or --insecure to accept any certificate'
  if (failureCode === 'no-tls') return '\nNext: remove --tls, --ca and --insecure'
  const secure = (tls ?? insecure) === true || ca !== undefined
  const mayBeTls = ['closed', 'no-http2', 'timeout'].includes(failureCode ?? '')
  return !secure && mayBeTls
    ? '\nNext: if the server uses TLS, add --tls, --ca FILE or --insecure'
    : ''
}
