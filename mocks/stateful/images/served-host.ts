import { hidden } from '../../serving/log.ts'
import type { ServedHost } from '../../serving/serving.ts'
import type { ImagesHost } from './routes.ts'

/** How a host is served. The path of an upload URL is a secret. */
export const servedHost = (host: ImagesHost): ServedHost => ({
  name: `images/${host}`,
  failures: [429, 500, 502],
  pageOption: '--no-cors',
  ...(host === 'upload'
    ? { hidePath: (path: string) => (path.startsWith('/_touchstone/') ? path : `/${hidden}`) }
    : {}),
})
