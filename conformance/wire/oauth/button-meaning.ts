import type { PageButton } from './page-form.ts'
import type { PageLink } from './page.ts'

export type Decision = 'approve' | 'deny'

/** What a control means: to approve, to deny, or only to continue. */
type Meaning = Decision | 'go on'

const deny = /\b(deny|denied|decline|reject|refuse|cancel|abort|disagree|disallow|no|not now)\b/
const negated =
  /\b(do not|don t|dont|not|never)\b.*\b(allow|approve|accept|authori[sz]e|grant|consent|agree|continue)\b/
const approve = /\b(allow|approve|accept|authori[sz]e|grant|consent|agree|yes)\b/
const goOn = /\b(continue|proceed|next|sign in|signin|log in|login|log on|submit|send|ok|okay)\b/
const signIn = /\b(sign in|signin|log in|login|log on|next)\b/

/** Converts a label to words in lower case, so that `Sign-In`, `signIn` and `sign_in` are equal. */
function normalize(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function meaningOfText(text: string): Meaning | undefined {
  const words = normalize(text)
  if (deny.test(words) || negated.test(words)) return 'deny'
  return approve.test(words) ? 'approve' : goOn.test(words) ? 'go on' : undefined
}

/**
 * The meaning of the button's label. If that is unknown, the meaning of its value, and then of its
 * name.
 */
export function meaningOf({
  text,
  value,
  name,
}: Pick<PageButton, 'text' | 'value' | 'name'>): Meaning | undefined {
  return meaningOfText(text) ?? meaningOfText(value) ?? meaningOfText(name)
}

/** The meaning of a link. Only links with short labels count, because pages contain many links. */
export function meaningOfLink({ text }: PageLink): Meaning | undefined {
  return text.length > 60 ? undefined : meaningOfText(text)
}

/** Whether a button only signs the user in, and decides nothing. */
export function isSignIn({
  text,
  value,
  name,
}: Pick<PageButton, 'text' | 'value' | 'name'>): boolean {
  return (
    meaningOf({ text, value, name }) === 'go on' &&
    [text, value].some((said) => signIn.test(normalize(said)))
  )
}

/** Whether the target file names this button, by `name=value` or by its label. */
export function isNamed(
  { text, value, name }: Pick<PageButton, 'text' | 'value' | 'name'>,
  wanted: string,
): boolean {
  return `${name}=${value}` === wanted.trim() || normalize(text) === normalize(wanted)
}
