import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onJson, onRequest, onResult, replaceRules } from './building.ts'

const [hour, minute] = [3_600_000, 60_000]

/** Changes the maximum size of metadata, or how the size is measured. */
const limitMetadata = (
  where: ImagesOperation,
  maxBytes: number,
  measure = (text: string) => Buffer.byteLength(text),
): ImagesFault['make'] =>
  replaceRules(
    (rules, hit) => ({
      maxMetadataBytes: maxBytes,
      measureMetadata: (text) => {
        const measured = measure(text)
        if (rules.measureMetadata(text) > rules.maxMetadataBytes !== measured > maxBytes) hit()
        return measured
      },
    }),
    where,
  )
const countCharacters = (text: string) => [...text].length

/**
 * Changes when tickets expire. If `isRequested` is true, this concerns the tickets that were
 * requested with an expiry, otherwise those without. `at` receives the correct expiry and the
 * current time, and returns the changed expiry, all in milliseconds since 1970.
 */
const changeExpiry =
  (isRequested: boolean, at: (correct: number, now: number) => number): ImagesFault['make'] =>
  (hit) => {
    const requested = new WeakMap<object, boolean>()
    const recordExpiry = onJson(
      (body, _hit, call) => void requested.set(call, body['expiry'] !== undefined),
      'createDirectUpload',
    )(hit).around!
    const changed = onResult((result, _hit, call) => {
      const ticket = call.server.store.drafts.get(String(result['id']))
      if (ticket === undefined || (requested.get(call) ?? false) !== isRequested) return
      const expiresAt = at(ticket.expiresAt, call.server.clock.now())
      if (expiresAt !== ticket.expiresAt) hit()
      ticket.expiresAt = expiresAt
    }, 'createDirectUpload')(hit).around!
    return { around: (call, next) => changed(call, () => recordExpiry(call, next)) }
  }

/** Changes the maximum lifetime of tickets. */
const changeMaxLifetime = (maxMs: number): ImagesFault['make'] =>
  replaceRules(
    (rules, hit, { server }) => ({
      ticketMaxMs: maxMs,
      parseExpiry: (value) => {
        const moment = rules.parseExpiry(value)
        const ahead = (moment ?? 0) - server.clock.now()
        if (ahead > rules.ticketMaxMs !== ahead > maxMs) hit()
        return moment
      },
    }),
    'createDirectUpload',
  )

/**
 * Accepts files up to `maxBytes`. If `truncates` is true, stores only as many bytes as the correct
 * maximum allows.
 */
const changeMaxFileBytes = (
  maxBytes: (correct: number) => number,
  truncates = false,
): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const { options } = call.server
    call.server = {
      ...call.server,
      options: { ...options, maxFileBytes: maxBytes(options.maxFileBytes) },
    }
    const correct = call.form.bind(call)
    call.form = async () => {
      const form = await correct()
      const large = form.files.filter(({ bytes }) => bytes.length > options.maxFileBytes)
      if (large.length > 0) hit()
      if (truncates)
        for (const file of large) file.bytes = file.bytes.subarray(0, options.maxFileBytes)
      return form
    }
    return next()
  }, 'uploadImage')

export const bounds: readonly ImagesFault[] = [
  fault(
    'metadata-of-uploads-in-characters',
    'Measures the metadata of an upload in characters.',
    ['IMG-LIMIT-01'],
    limitMetadata('uploadImage', 1024, countCharacters),
  ),
  fault(
    'metadata-of-uploads-without-a-bound',
    'Accepts metadata of any length in an upload.',
    ['IMG-LIMIT-01'],
    limitMetadata('uploadImage', Infinity),
  ),
  fault(
    'metadata-of-uploads-up-to-1025',
    'Accepts 1025 bytes of metadata in an upload.',
    ['IMG-LIMIT-01'],
    limitMetadata('uploadImage', 1025),
  ),
  fault(
    'metadata-of-uploads-below-1024',
    'Refuses 1024 bytes of metadata in an upload.',
    ['IMG-LIMIT-01'],
    limitMetadata('uploadImage', 1023),
  ),
  fault(
    'metadata-of-tickets-in-characters',
    'Measures the metadata of a ticket in characters.',
    ['IMG-LIMIT-02'],
    limitMetadata('createDirectUpload', 1024, countCharacters),
  ),
  fault(
    'metadata-of-tickets-without-a-bound',
    'Accepts metadata of any length in a ticket.',
    ['IMG-LIMIT-02'],
    limitMetadata('createDirectUpload', Infinity),
  ),
  fault(
    'metadata-of-tickets-up-to-512',
    'Refuses more than 512 bytes of metadata in a ticket.',
    ['IMG-LIMIT-02'],
    limitMetadata('createDirectUpload', 512),
  ),
  fault(
    'metadata-of-tickets-up-to-2048',
    'Accepts 2048 bytes of metadata in a ticket.',
    ['IMG-LIMIT-02'],
    limitMetadata('createDirectUpload', 2048),
  ),

  fault(
    'tickets-last-an-hour',
    'A ticket without an expiry is valid for an hour.',
    ['IMG-LIMIT-06'],
    changeExpiry(false, (_correct, now) => now + hour),
  ),
  fault(
    'tickets-last-ten-minutes',
    'A ticket without an expiry is valid for ten minutes.',
    ['IMG-LIMIT-06'],
    changeExpiry(false, (_correct, now) => now + 10 * minute),
  ),
  fault(
    'tickets-never-expire',
    'A ticket without an expiry never expires.',
    ['IMG-LIMIT-06'],
    changeExpiry(false, () => Infinity),
  ),
  fault(
    'expiry-up-to-a-day',
    'Accepts an expiry of a ticket up to a day ahead.',
    ['IMG-LIMIT-07'],
    changeMaxLifetime(24 * hour),
  ),
  fault(
    'expiry-without-a-bound',
    'Accepts every expiry of a ticket, however late.',
    ['IMG-LIMIT-07'],
    changeMaxLifetime(Infinity),
  ),
  fault(
    'expiry-up-to-five-hours',
    'Refuses an expiry of a ticket more than five hours ahead.',
    ['IMG-LIMIT-07'],
    changeMaxLifetime(5 * hour),
  ),
  fault(
    'expiry-is-accepted-and-ignored',
    'A ticket with a requested expiry expires after 30 minutes instead.',
    ['IMG-LIMIT-09'],
    changeExpiry(true, (_correct, now) => now + 30 * minute),
  ),
  fault(
    'expiry-is-never-enforced',
    'A ticket with an expiry never expires.',
    ['IMG-LIMIT-09'],
    changeExpiry(true, () => Infinity),
  ),
  fault(
    'expiry-is-kept-half-an-hour-late',
    'A ticket with an expiry accepts an upload up to half an hour after that expiry.',
    ['IMG-LIMIT-09'],
    changeExpiry(true, (correct) => correct + 30 * minute),
  ),
  fault(
    'short-expiry-is-ignored-in-real-time',
    'Has no test endpoint for its clock. A ticket with a requested expiry expires after 30 minutes.',
    ['IMG-LIMIT-09'],
    (hit) => ({
      ...changeExpiry(true, (_correct, now) => now + 30 * minute)(hit),
      choices: { movableClock: false },
    }),
  ),
  fault(
    'offset-of-an-expiry-is-ignored-in-real-time',
    'Has no test endpoint for its clock. Reads the local time of an expiry as UTC.',
    ['IMG-LIMIT-09'],
    (hit) => ({
      ...replaceRules(
        (rules) => ({
          parseExpiry: (value) => {
            const utc = String(value).replace(/[+-]\d\d:\d\d$/, 'Z')
            if (typeof value === 'string' && utc !== value) hit()
            return rules.parseExpiry(typeof value === 'string' ? utc : value)
          },
        }),
        'createDirectUpload',
      )(hit),
      choices: { movableClock: false },
    }),
  ),
  fault(
    'short-expiry-is-ignored-without-a-date',
    'Sends no valid Date header and has no test endpoint for its clock. Ignores every expiry.',
    ['IMG-LIMIT-09'],
    (hit) => {
      const ignore = changeExpiry(true, (_correct, now) => now + 30 * minute)(hit).around!
      return {
        around: async (call, next) => {
          const reply = await ignore(call, next)
          return { ...reply, headers: { ...reply.headers, Date: 'unknown' } }
        },
        choices: { movableClock: false },
      }
    },
  ),

  fault(
    'files-without-a-bound',
    'Accepts files of any size.',
    ['IMG-LIMIT-11'],
    changeMaxFileBytes(() => 1e9),
  ),
  fault(
    'files-a-little-above-the-bound',
    'Accepts files up to a kilobyte above the maximum size.',
    ['IMG-LIMIT-11'],
    changeMaxFileBytes((correct) => correct + 1024),
  ),
  fault(
    'files-are-cut-to-the-bound',
    'Truncates a file above the maximum size and stores it.',
    ['IMG-LIMIT-11'],
    changeMaxFileBytes(() => 1e9, true),
  ),
]
