import type { VariantOptions } from '../stateful/images/store.ts'

/** What a mock stores when it starts, and again after a reset. */
export interface InitialData {
  images: readonly InitialImage[]
  /** Added to the variant `public`, or in its place. */
  variants: readonly InitialVariant[]
  /** The fields of each hook, as in a request that creates it. */
  hooks: readonly Readonly<Record<string, unknown>>[]
  /**
   * Added to the built-in books of the tool server. Each replaces a built-in book with the same id.
   */
  books: readonly InitialBook[]
}

/** A stored image. */
export interface InitialImage {
  id: string
  /** By default the name of the file, or the id with `.png`. */
  filename?: string | undefined
  /** By default a small grey PNG image. */
  bytes?: Uint8Array | undefined
  metadata?: Record<string, unknown> | undefined
  requireSignedURLs?: boolean | undefined
  /** In milliseconds since the epoch; by default when the mock starts. */
  uploaded?: number | undefined
}

/** A variant of images. By default, its options are those of the variant `public`. */
export interface InitialVariant {
  id: string
  options?: Readonly<Partial<VariantOptions>> | undefined
  neverRequireSignedURLs?: boolean | undefined
}

/** A book of the library. Timestamps are in ISO 8601. */
export interface InitialBook {
  id: string
  title: string
  author: string
  year?: number | undefined
  language?: string | undefined
  tags?: string[] | undefined
  summary?: string | undefined
  copies?: number | undefined
  added_at?: string | undefined
}
