// What texts about failures tell. They are read for their meaning, in whatever words: these patterns are wide, and none of them knows one wording only.

/** A text after the `Error:` in front of it. */
export const withoutErrorPrefix = (text: string): string => text.replace(/^\s*Error:\s*/, '')

export interface ErrorMeaning {
  /** As it is named in a report. */
  readonly name: string
  readonly expected: string
  readonly pattern: RegExp
}

export const nothingFound: ErrorMeaning = {
  name: 'tells that nothing was found',
  expected: 'a text that tells that there is no such thing',
  pattern:
    /not (be )?(found|locate)|no such|n[o'’]t exist|not (available|known|there)|(could|can|did|was|were)(n['’]t| ?not) (be )?(f[io]u?nd|locat|exist)|unknown|missing|nothing|gone|\bno \w+( \w+)? (found|exists|matches|with)/i,
}

export const lookAtIdentifier: ErrorMeaning = {
  name: 'points at the identifier',
  expected: 'a text that tells of the identifier',
  pattern: /\bids?\b|identif|\bkeys?\b|\bnames?\b|\bnumber\b|reference|\bslug\b|\buri\b|\burl\b/i,
}

export const noPermission: ErrorMeaning = {
  name: 'tells of missing permission',
  expected: 'a text that tells that this is not permitted',
  pattern:
    /permi(ssion|tted)|forbidden|den(ied|y)|not allowed|disallowed|not authori[sz]ed|unauthori[sz]ed|access|privilege|rights?\b|may not|scope|insufficient/i,
}

export const rateLimit: ErrorMeaning = {
  name: 'tells of a rate limit',
  expected: 'a text that tells that there were too many requests',
  pattern: /\brate\b|too (many|often|fast|quickly)|limit|quota|thrott?l|\bbusy\b/i,
}

export const waitFirst: ErrorMeaning = {
  name: 'tells to wait',
  expected: 'a text that tells to wait before the next try',
  pattern:
    /\bwait|later|retry|try(ing)? (it )?again|slow(er)? down|back ?off|second|minute|moment|after a|pause/i,
}

export const invalidAuthentication: ErrorMeaning = {
  name: 'tells of invalid authentication',
  expected: 'a text that tells that the server could not authenticate itself',
  pattern:
    /authenti|credential|api[ -_]?key|\btoken\b|unauthori[sz]ed|log(ged)? ?in|sign(ed)? ?in|\bsecret\b|\bpassword\b/i,
}

export const timedOut: ErrorMeaning = {
  name: 'tells of a time-out',
  expected: 'a text that tells that the upstream took too long',
  pattern:
    /tim(e|ed|ing)[ -]?out|too long|too slow|deadline|in time|no (answer|response|reply)|n['’]t (answer|respond|reply)|not (answer|respond|reply)|\b30 ?s/i,
}

export const unexpected: ErrorMeaning = {
  name: 'tells of something unexpected',
  expected: 'a text that tells that something unexpected went wrong',
  pattern:
    /unexpected|unforeseen|unknown|unhandled|internal|surpris|went wrong|wrong|fail|problem|could ?n[o'’]t|can ?n[o'’]t|unable|error|broke|exception/i,
}

/** A type of exception, by how programs write such names. */
const exception =
  /[A-Za-z]\w*(Error|Exception|Failure|Fault|Disconnected|Refused|Reset)\b|\bE[A-Z]{4,}\b|\bERR_\w+/

export const typeOfReset: ErrorMeaning = {
  name: 'names its type',
  expected: 'a type of exception, or a word for a connection that broke',
  pattern: new RegExp(
    `${exception.source}|[Cc]onnect|[Rr]eset|[Ss]ocket|[Nn]etwork|[Hh]ang ?up|[Cc]losed|[Ff]etch|[Tt]ransport|[Pp]rotocol|[Uu]nreachable`,
  ),
}

export const typeOfGarbage: ErrorMeaning = {
  name: 'names its type',
  expected: 'a type of exception, or a word for what cannot be read',
  pattern: new RegExp(
    `${exception.source}|\\b(JSON|json|Json)|[Pp]ars|[Ss]yntax|[Dd]ecod|[Mm]alformed|[Ii]nvalid|[Gg]arbage|[Uu]nreadable|[Ff]ormat|[Ss]erializ|[Vv]alid`,
  ),
}

/** A status, as a number of its own. */
export const status = (code: number): ErrorMeaning => ({
  name: 'names the status',
  expected: `the status ${code}`,
  pattern: new RegExp(`(?<!\\d)${code}(?!\\d)`),
})

export const noItems: ErrorMeaning = {
  name: 'tells that nothing matches',
  expected: 'a text that tells that no items match',
  pattern:
    /\b(no|none|nothing|nobody|zero|0|empty|without)\b|not? (find|found|match|any)|n['’]t (find|match|any|return)|unsuccessful/i,
}

/** The same meaning, told by any of these words too. */
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

/** Whether a text tells something. */
export const expresses = (text: string, { pattern }: ErrorMeaning): boolean =>
  pattern.test(withoutErrorPrefix(text))
