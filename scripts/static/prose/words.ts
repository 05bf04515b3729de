/** Words and phrases that this project does not use, with what to write instead and why. */
export interface BannedPhrase {
  /** Matched with any case, as whole words. */
  readonly phrase: RegExp
  readonly instead: string
  readonly reason: string
  /**
   * Whether names in code may contain the phrase, because it has a clear meaning there. Example:
   * the rows of a table.
   */
  readonly isForNames?: boolean
}

const banned = (
  phrase: string,
  instead: string,
  reason: string,
  more?: Pick<BannedPhrase, 'isForNames'>,
): BannedPhrase => ({
  phrase: new RegExp(`\\b(?:${phrase})\\b`, 'gi'),
  instead,
  reason,
  ...more,
})

const actor = 'A reader has to guess who that is.'
const vague = 'It can mean several things; the exact verb says which.'
const term = 'The field has a term for it.'

const forNames = { isForNames: true } as const

export const bannedPhrases: readonly BannedPhrase[] = [
  banned('who(?:m)?ever', 'the client, the caller, another check', actor),
  banned('nobody|somebody', 'no client, another client', actor),
  banned('himself|herself', 'itself', actor),
  banned('tells?|told', 'returns, reports, contains', vague),
  banned('stands? (?:on|for|around|in|at|beside|behind|alone)', 'depends on, represents', vague),
  banned('hears?|heard', 'receives, collects', vague),
  banned('plays? again|passes over|makes? up|made up', 'runs again, ignores, generates', vague),
  banned('takes? (?:on|away|back|over|it|them|him|whatever|what)', 'accepts, removes', vague),
  banned(
    '(?<!there )(?:is|are|was|were) no(?! longer| more)',
    'is not a',
    'A negated verb is easier to read.',
  ),
  banned('legal servers?', 'conforming server', term),
  banned('faulty servers?', 'broken server', term),
  banned('rows?', 'requirement', 'Readers see requirements; only tables have rows.', forNames),
  banned('demands?|demanded', 'requires, requirement', term),
  banned('a text|texts', 'a string, strings', term, forNames),
  banned('pictures?', 'image', term, forNames),
  banned('time-outs?', 'timeout', 'The field writes it as one word.'),
  banned('call(?:s|ed)? off', 'cancel', term),
  banned('anew', 'again', 'It is out of use.'),
  banned('beside', 'next to, together with', 'It is easily confused with "besides".'),
  banned("(?:own|one's own) affair|affairs?", 'is covered by', 'It is a figure of speech.'),
  banned('mend(?:s|ed|ing)?', 'fix, lint', term),
  banned(
    '(?:a|an) (?:[\\w-]+ ){1,3}of (?:its|their|his|her) own',
    'its own …, a separate …',
    'It is longer, and says no more.',
  ),
  banned('for ever', 'forever', 'The field writes it as one word.'),
]
