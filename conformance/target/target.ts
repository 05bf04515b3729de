/** An implementation of the image hosting API, and what it lets the suite do. */
export interface ImagesTarget {
  url: string
  account: string
  token: string
  limitedToken?: string
  batch?: { url: string; token: string }
  delivery?: string
  maxFileBytes?: number
  bulk?: boolean
  flexibleVariants?: boolean
  state: boolean
  /** `POST {"offsetSeconds": N}` to it moves the target's clock. */
  clock?: string
}

/** How the suite itself behaves. Times are milliseconds. */
export interface SuiteSettings {
  /** The pictures that the target fetches; undefined where the target file does not declare them. */
  pictures?: { listen?: string; publicUrl?: string } | undefined
  settle: number
  pace: number
  concurrency: number
  timeout: number
}

/** What is judged. Plain data: it travels to the worker in which the checks run. */
export interface Target {
  images?: ImagesTarget
  suite: SuiteSettings
}

/** Something about the target that only people can put right. The message is for them: place, what is wrong, next step. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** Which of the needed paths (`images.batch`, `images.state`, …) the target does not give. */
export function lacking(target: Target, needs: readonly string[]): string[] {
  return needs.filter((path) => !gives(target, path))
}

function gives(target: Target, path: string): boolean {
  const { images, suite } = target
  if (path === 'suite.pictures') return suite.pictures !== undefined || (images !== undefined && onLoopback(images.url))
  const value = path.split('.').reduce<unknown>((holder, name) => (holder as Record<string, unknown> | undefined)?.[name], target)
  // A switch that is off locks its checks, but for the one that tells a setting.
  return path === 'images.flexibleVariants' ? value !== undefined : value !== undefined && value !== false
}

/** Whether a URL leads to this machine: a target there can fetch pictures from it. */
export function onLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

/** The target's secrets, each under the variable that stands for it in reports. */
export function secretsOf({ images }: Target): Record<string, string | undefined> {
  return { IMAGES_TOKEN: images?.token, IMAGES_LIMITED_TOKEN: images?.limitedToken, IMAGES_BATCH_TOKEN: images?.batch?.token }
}

/** The target as a report may show it: secrets are written as the variables that hold them. */
export function publicTarget(target: Target): Target {
  const { images } = target
  if (images === undefined) return target
  return {
    ...target,
    images: {
      ...images,
      token: '$IMAGES_TOKEN',
      ...(images.limitedToken === undefined ? {} : { limitedToken: '$IMAGES_LIMITED_TOKEN' }),
      ...(images.batch === undefined ? {} : { batch: { ...images.batch, token: '$IMAGES_BATCH_TOKEN' } }),
    },
  }
}
