// Recognizes the meaning of error messages. The patterns are broad, so that they match any usual
// wording.

/** An error message without its prefix `Error:`. */
export const withoutErrorPrefix = (message: string): string => message.replace(/^\s*Error:\s*/, '')

export interface ErrorMeaning {
  readonly name: string
  readonly expected: string
  readonly pattern: RegExp
}

export const nothingFound: ErrorMeaning = {
  name: 'says that nothing was found',
  expected: 'a message saying that the resource does not exist',
  pattern:
    /not (be )?(found|locate)|no such|n[o'’]t exist|not (available|known|there)|(could|can|did|was|were)(n['’]t| ?not) (be )?(f[io]u?nd|locat|exist)|unknown|missing|nothing|gone|\bno \w+( \w+)? (found|exists|matches|with)/i,
}

export const lookAtIdentifier: ErrorMeaning = {
  name: 'refers to the identifier',
  expected: 'a message that mentions the identifier',
  pattern: /\bids?\b|identif|\bkeys?\b|\bnames?\b|\bnumber\b|reference|\bslug\b|\buri\b|\burl\b/i,
}

export const noPermission: ErrorMeaning = {
  name: 'says that permission is missing',
  expected: 'a message saying that the request is not permitted',
  pattern:
    /permi(ssion|tted)|forbidden|den(ied|y)|not allowed|disallowed|not authori[sz]ed|unauthori[sz]ed|access|privilege|rights?\b|may not|scope|insufficient/i,
}

export const rateLimit: ErrorMeaning = {
  name: 'reports a rate limit',
  expected: 'a message saying that there were too many requests',
  pattern: /\brate\b|too (many|often|fast|quickly)|limit|quota|thrott?l|\bbusy\b/i,
}

export const waitFirst: ErrorMeaning = {
  name: 'says to wait',
  expected: 'advice to wait before the next attempt',
  pattern:
    /\bwait|later|retry|try(ing)? (it )?again|slow(er)? down|back ?off|second|minute|moment|after a|pause/i,
}

export const invalidAuthentication: ErrorMeaning = {
  name: 'reports invalid authentication',
  expected: 'a message saying that the server could not authenticate itself',
  pattern:
    /authenti|credential|api[ -_]?key|\btoken\b|unauthori[sz]ed|log(ged)? ?in|sign(ed)? ?in|\bsecret\b|\bpassword\b/i,
}

export const timedOut: ErrorMeaning = {
  name: 'reports a timeout',
  expected: 'a message saying that the upstream took too long',
  pattern:
    /tim(e|ed|ing)[ -]?out|too long|too slow|deadline|in time|no (answer|response|reply)|n['’]t (answer|respond|reply)|not (answer|respond|reply)|\b30 ?s/i,
}

export const tryAgain: ErrorMeaning = {
  name: 'says to try again',
  expected: 'advice to try again',
  pattern: /again|retry|re-?try|later|once more|another (attempt|try)|repeat|in a (moment|while)/i,
}

export const unexpected: ErrorMeaning = {
  name: 'reports something unexpected',
  expected: 'a message saying that something unexpected went wrong',
  pattern:
    /unexpected|unforeseen|unknown|unhandled|internal|surpris|went wrong|wrong|fail|problem|could ?n[o'’]t|can ?n[o'’]t|unable|error|broke|exception/i,
}

/** The name of an exception type, as programming languages write it. */
const exception =
  /[A-Za-z]\w*(Error|Exception|Failure|Fault|Disconnected|Refused|Reset)\b|\bE[A-Z]{4,}\b|\bERR_\w+/

export const typeOfReset: ErrorMeaning = {
  name: 'names the error type',
  expected: 'an exception type, or a word for a broken connection',
  pattern: new RegExp(
    `${exception.source}|[Cc]onnect|[Rr]eset|[Ss]ocket|[Nn]etwork|[Hh]ang ?up|[Cc]losed|[Ff]etch|[Tt]ransport|[Pp]rotocol|[Uu]nreachable`,
  ),
}

export const typeOfGarbage: ErrorMeaning = {
  name: 'names the error type',
  expected: 'an exception type, or a word for unreadable data',
  pattern: new RegExp(
    `${exception.source}|\\b(JSON|json|Json)|[Pp]ars|[Ss]yntax|[Dd]ecod|[Mm]alformed|[Ii]nvalid|[Gg]arbage|[Uu]nreadable|[Ff]ormat|[Ss]erializ|[Vv]alid`,
  ),
}

/** A status code that is not part of a longer number. */
export const status = (code: number): ErrorMeaning => ({
  name: 'names the status',
  expected: `a message with the status ${code}`,
  pattern: new RegExp(`(?<!\\d)${code}(?!\\d)`),
})

export const noItems: ErrorMeaning = {
  name: 'says that nothing matches',
  expected: 'a message saying that no items match',
  pattern:
    /\b(no|none|nothing|nobody|zero|0|empty|without)\b|not? (find|found|match|any)|n['’]t (find|match|any|return)|unsuccessful/i,
}

/**
 * Whether a message reports a missing resource and asks to check its identifier, and mentions no
 * search. A message about a search may also suggest to search by identifier.
 */
export const isAbout404 = (message: string): boolean =>
  /\bresource\b[^.]*\bnot found\b/i.test(message) &&
  /\bcheck\b[^.]*\b(id|identifier)\b/i.test(message) &&
  !/match|search|quer|result|items?\b|filter/i.test(message)

/** Returns a copy of a meaning whose pattern also matches each of these words. */
export const orWords = (
  { name, expected, pattern }: ErrorMeaning,
  words: readonly string[],
): ErrorMeaning => ({
  name,
  expected,
  pattern: new RegExp(
    [pattern.source, ...words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))].join(
      '|',
    ),
    pattern.flags,
  ),
})

/** Whether an error message has a meaning. */
export const expresses = (message: string, { pattern }: ErrorMeaning): boolean =>
  pattern.test(withoutErrorPrefix(message))
