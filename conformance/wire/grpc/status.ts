/** The statuses of gRPC, by number. */
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

/** Numbers of the statuses, by name. */
export const statusOf = Object.fromEntries(names.map((name, number) => [name, number])) as {
  readonly [N in Name]: number
}

/** A status as people know it: `UNIMPLEMENTED (12)`. */
export function statusName(status: number): string {
  return names[status] === undefined ? `status ${status}` : `${names[status]} (${status})`
}

/** Names and values as they came; a value that came twice stands there twice. Pseudo headers are left out. */
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

/** What a server says at the end of a stream; without `grpcStatus` where it says nothing that can be read. */
export function readStatus(trailers: MetadataPairs): { grpcStatus?: number; grpcMessage?: string } {
  const valueOf = (wanted: string) => trailers.find(([name]) => name === wanted)?.[1]
  const status = valueOf('grpc-status')
  const message = valueOf('grpc-message')
  return {
    ...(status !== undefined && /^\d{1,9}$/.test(status) ? { grpcStatus: Number(status) } : {}),
    ...(message === undefined ? {} : { grpcMessage: decodeMessage(message) }),
  }
}

/** A status message travels percent-encoded; one that is not is taken as it is. */
function decodeMessage(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
