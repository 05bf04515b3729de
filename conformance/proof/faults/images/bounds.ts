import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onJson, onRequest, onResult, replaceRules } from './building.ts'

const [hour, minute] = [3_600_000, 60_000]

/** Bounds metadata in another way. */
const metadata = (
  where: ImagesOperation,
  bound: number,
  measure = (text: string) => Buffer.byteLength(text),
): ImagesFault['make'] =>
  replaceRules(
    (rules, hit) => ({
      maxMetadataBytes: bound,
      measureMetadata: (text) => {
        const measured = measure(text)
        if (rules.measureMetadata(text) > rules.maxMetadataBytes !== measured > bound) hit()
        return measured
      },
    }),
    where,
  )
const characters = (text: string) => [...text].length

/** Expires tickets that name no expiry (or those that do) at another time; `at` gets what was right. */
const expiring =
  (named: boolean, at: (right: number, now: number) => number): ImagesFault['make'] =>
  (hit) => {
    const asked = new WeakMap<object, boolean>()
    const noted = onJson(
      (body, _hit, call) => void asked.set(call, body['expiry'] !== undefined),
      'createDirectUpload',
    )(hit).around!
    const changed = onResult((result, _hit, call) => {
      const ticket = call.server.store.drafts.get(String(result['id']))
      if (ticket === undefined || (asked.get(call) ?? false) !== named) return
      const expiresAt = at(ticket.expiresAt, call.server.clock.now())
      if (expiresAt !== ticket.expiresAt) hit()
      ticket.expiresAt = expiresAt
    }, 'createDirectUpload')(hit).around!
    return { around: (call, next) => changed(call, () => noted(call, next)) }
  }

/** Lets tickets last longer or shorter at most. */
const lasting = (longest: number): ImagesFault['make'] =>
  replaceRules(
    (rules, hit, { server }) => ({
      ticketMaxMs: longest,
      parseExpiry: (value) => {
        const moment = rules.parseExpiry(value)
        const ahead = (moment ?? 0) - server.clock.now()
        if (ahead > rules.ticketMaxMs !== ahead > longest) hit()
        return moment
      },
    }),
    'createDirectUpload',
  )

/** Takes files above the bound. */
const sized = (bound: (right: number) => number, cut = false): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const { options } = call.server
    call.server = {
      ...call.server,
      options: { ...options, maxFileBytes: bound(options.maxFileBytes) },
    }
    const right = call.form.bind(call)
    call.form = async () => {
      const form = await right()
      const large = form.files.filter(({ bytes }) => bytes.length > options.maxFileBytes)
      if (large.length > 0) hit()
      if (cut) for (const file of large) file.bytes = file.bytes.subarray(0, options.maxFileBytes)
      return form
    }
    return next()
  }, 'uploadImage')

export const bounds: readonly ImagesFault[] = [
  fault(
    'metadata-of-uploads-in-characters',
    "An upload's metadata is measured in characters.",
    ['IMG-LIMIT-01'],
    metadata('uploadImage', 1024, characters),
  ),
  fault(
    'metadata-of-uploads-without-a-bound',
    "An upload's metadata has no bound.",
    ['IMG-LIMIT-01'],
    metadata('uploadImage', Infinity),
  ),
  fault(
    'metadata-of-uploads-up-to-1025',
    "An upload's metadata may have one byte more than 1024.",
    ['IMG-LIMIT-01'],
    metadata('uploadImage', 1025),
  ),
  fault(
    'metadata-of-uploads-below-1024',
    "An upload's metadata has to have less than 1024 bytes.",
    ['IMG-LIMIT-01'],
    metadata('uploadImage', 1023),
  ),
  fault(
    'metadata-of-tickets-in-characters',
    "A ticket's metadata is measured in characters.",
    ['IMG-LIMIT-02'],
    metadata('createDirectUpload', 1024, characters),
  ),
  fault(
    'metadata-of-tickets-without-a-bound',
    "A ticket's metadata has no bound.",
    ['IMG-LIMIT-02'],
    metadata('createDirectUpload', Infinity),
  ),
  fault(
    'metadata-of-tickets-up-to-512',
    "A ticket's metadata may have 512 bytes at most.",
    ['IMG-LIMIT-02'],
    metadata('createDirectUpload', 512),
  ),
  fault(
    'metadata-of-tickets-up-to-2048',
    "A ticket's metadata may have 2048 bytes.",
    ['IMG-LIMIT-02'],
    metadata('createDirectUpload', 2048),
  ),

  fault(
    'tickets-last-an-hour',
    'A ticket that names no expiry lasts an hour.',
    ['IMG-LIMIT-06'],
    expiring(false, (_right, now) => now + hour),
  ),
  fault(
    'tickets-last-ten-minutes',
    'A ticket that names no expiry lasts ten minutes.',
    ['IMG-LIMIT-06'],
    expiring(false, (_right, now) => now + 10 * minute),
  ),
  fault(
    'tickets-last-for-ever',
    'A ticket that names no expiry never expires.',
    ['IMG-LIMIT-06'],
    expiring(false, () => Infinity),
  ),
  fault(
    'expiry-up-to-a-day',
    'A ticket may expire up to a day ahead.',
    ['IMG-LIMIT-07'],
    lasting(24 * hour),
  ),
  fault(
    'expiry-without-a-bound',
    'A ticket may expire however far ahead.',
    ['IMG-LIMIT-07'],
    lasting(Infinity),
  ),
  fault(
    'expiry-up-to-five-hours',
    'A ticket may expire five hours ahead at most.',
    ['IMG-LIMIT-07'],
    lasting(5 * hour),
  ),
  fault(
    'expiry-is-taken-and-not-kept',
    'A ticket lasts 30 minutes, whatever expiry it was given.',
    ['IMG-LIMIT-09'],
    expiring(true, (_right, now) => now + 30 * minute),
  ),
  fault(
    'expiry-is-never-enforced',
    'A ticket that was given an expiry takes an upload after it too.',
    ['IMG-LIMIT-09'],
    expiring(true, () => Infinity),
  ),
  fault(
    'expiry-is-kept-half-an-hour-late',
    'A ticket that was given an expiry takes an upload for half an hour after it.',
    ['IMG-LIMIT-09'],
    expiring(true, (right) => right + 30 * minute),
  ),

  fault(
    'files-without-a-bound',
    'A file is never too large.',
    ['IMG-LIMIT-11'],
    sized(() => 1e9),
  ),
  fault(
    'files-a-little-above-the-bound',
    'A file may be a kilobyte larger than the bound.',
    ['IMG-LIMIT-11'],
    sized((right) => right + 1024),
  ),
  fault(
    'files-are-cut-to-the-bound',
    'A file that is too large is cut to the largest size and stored.',
    ['IMG-LIMIT-11'],
    sized(() => 1e9, true),
  ),
]
