import { percentDecode } from '../percent.ts'

/** gRPC statuses, by number. */
const names = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

type Name = (typeof names)[number]

/** Numbers of gRPC statuses, by name. */
export const statusOf = Object.fromEntries(names.map((name, number) => [name, number])) as {
  readonly [N in Name]: number
}

/** Formats a status: `UNIMPLEMENTED (12)`. */
export function statusName(status: number): string {
  return names[status] === undefined ? `status ${status}` : `${names[status]} (${status})`
}

/** Names and values as received, with repeated names and without pseudo-headers. */
export type MetadataPairs = readonly [string, string][]

export function pairsOf(
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
): MetadataPairs {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined
      ? []
      : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
}

/** Reads the status from trailers. `grpcStatus` is undefined if it is missing or malformed. */
export function readStatus(trailers: MetadataPairs): { grpcStatus?: number; grpcMessage?: string } {
  const valueOf = (wanted: string) => trailers.find(([name]) => name === wanted)?.[1]
  const status = valueOf('grpc-status')
  const message = valueOf('grpc-message')
  return {
    ...(status !== undefined && /^\d{1,9}$/.test(status) ? { grpcStatus: Number(status) } : {}),
    ...(message === undefined ? {} : { grpcMessage: percentDecode(message) }),
  }
}
