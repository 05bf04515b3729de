/**
 * Characters that change what a terminal or a page shows, but are not shown themselves: control
 * characters except tabs and line feeds, and characters that change the direction of text.
 *
 * @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
export const hiddenCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Replaces hidden characters with visible symbols. */
export const showHidden = (text: string): string =>
  text.replace(hiddenCharacters, (character) =>
    character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '�',
  )

/**
 * Formats a value as JSON that a terminal can show: hidden characters in strings are escaped. The
 * JSON has the same value as that of `JSON.stringify`.
 *
 * @example
 * printableJson('a\u202eb') // '"a\\u202eb"'
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    hiddenCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
