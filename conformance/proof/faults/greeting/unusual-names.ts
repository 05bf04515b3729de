import type { GreetingFault } from './fault.ts'
import { changeRequests, fault } from './building.ts'

/** Greets a changed name. */
const changedName = (
  name: string,
  description: string,
  change: (name: string) => string,
): GreetingFault =>
  fault(
    name,
    description,
    ['GRT-NAME-05'],
    changeRequests((request) => ({ ...request, name: change(request.name) })),
  )

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const decodePercent = (name: string) =>
  name.replace(/%([\da-f]{2})/gi, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )

const decoded: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#65': 'A' }

/** Applies a decoder that throws for what it cannot decode, and then leaves the name as it is. */
const decodeIfPossible = (decode: (name: string) => string) => (name: string) => {
  try {
    return decode(name)
  } catch {
    return name
  }
}

/** Faults in which names are cut or changed because of their length or their characters. */
export const unusualNames: readonly GreetingFault[] = [
  changedName(
    'longer-names-are-called-friend',
    'Greets "friend" if a name has more than fifty letters.',
    (name) => (name.length > 50 ? 'friend' : name),
  ),
  changedName('names-are-cut-after-200-letters', 'Cuts names after 200 letters.', (name) =>
    name.slice(0, 200),
  ),
  changedName('names-are-cut-after-20000-letters', 'Cuts names after 20,000 letters.', (name) =>
    name.slice(0, 20_000),
  ),
  changedName(
    'lengths-of-names-have-16-bits',
    'Reads the length of a name modulo 65,536.',
    (name) => name.slice(0, name.length % 65_536),
  ),
  changedName(
    'names-of-digits-are-numbers',
    'Reads a name of digits as a number, without leading zeros.',
    (name) => (/^\d+$/.test(name) ? String(Number(name)) : name),
  ),
  changedName(
    'null-is-not-a-name',
    'Greets "stranger" if a name is "null" or "undefined".',
    (name) => (/^(null|undefined)$/i.test(name) ? 'stranger' : name),
  ),
  changedName(
    'names-end-at-a-line-break',
    'Cuts names at the first line break.',
    (name) => name.split('\n')[0]!,
  ),
  changedName(
    'names-end-at-a-null-character',
    'Cuts names at the first null character.',
    (name) => name.split('\0')[0]!,
  ),
  changedName('names-are-escaped-for-html', 'Replaces &, < and > with entities of HTML.', (name) =>
    name.replace(/[&<>]/g, (character) => entities[character]!),
  ),
  changedName(
    'quotation-marks-are-escaped',
    'Writes a backslash before quotation marks and backslashes.',
    (name) => name.replace(/["'\\]/g, '\\$&'),
  ),
  changedName(
    'percent-signs-are-decoded',
    'Decodes names as if they were part of a URL.',
    decodePercent,
  ),
  changedName(
    'valid-percent-escapes-are-decoded',
    'Decodes names as parts of a URL, if all of their percent signs belong to escapes.',
    decodeIfPossible(decodeURIComponent),
  ),
  changedName('plus-signs-are-spaces', 'Reads plus signs in names as spaces.', (name) =>
    name.replaceAll('+', ' '),
  ),
  changedName(
    'escape-sequences-are-decoded',
    'Decodes names as parts of a JSON string, if they are valid.',
    decodeIfPossible((name) => String(JSON.parse(`"${name}"`))),
  ),
  changedName('html-entities-are-decoded', 'Decodes entities of HTML in names.', (name) =>
    name.replace(/&(#?\w+);/g, (entity, code: string) => decoded[code] ?? entity),
  ),
  changedName(
    'names-are-replacement-patterns',
    'Uses names as the replacement of a regular expression, in which $ has a meaning.',
    (name) => 'NAME'.replace('NAME', name),
  ),
]
