import { httpResponse, alwaysReturn, type NullTarget } from './common.ts'

const acknowledgeEverything = alwaysReturn(httpResponse('200 OK', '{}'))

/** Null targets whose target files do not require that the receiver refuses a wrong token. */
export const receiverNullTargets: readonly NullTarget[] = [
  {
    name: '200 {} without a secret',
    description: 'returns 200 to every request, and has no secret in the target file',
    serve: acknowledgeEverything,
    adapt: ({ receiver }) => {
      const { secret: _, ...withoutSecret } = receiver!
      return { receiver: withoutSecret }
    },
  },
  {
    name: '200 {} that drops',
    description: 'returns 200 to every request, and drops deliveries according to the target file',
    serve: acknowledgeEverything,
    adapt: ({ receiver }) => ({ receiver: { ...receiver!, onMismatch: 'drop' } }),
  },
]
