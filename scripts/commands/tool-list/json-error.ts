// Finds the position of an error in JSON, which JSON.parse does not always report.

const token =
  /[ \t\n\r]*(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b|[{}[\],:])/y
const space = /[ \t\n\r]*/y

/**
 * Returns the index of the first token that is not valid at its position. If the end of the JSON is
 * missing, returns the length of the string.
 */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = []
  /** What is valid next. */
  let next: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing' =
    'value'
  let at = 0
  const nextCharacter = () => {
    space.lastIndex = at
    space.exec(text)
    return space.lastIndex
  }
  const afterValue = () => (open.length === 0 ? 'nothing' : 'comma or end')
  for (;;) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return nextCharacter()
    const [whole, string] = found
    const word = whole.trimStart()
    const valueIsValid = next === 'value' || next === 'value or end'
    const endIsValid =
      next === 'comma or end' || next === (open.at(-1) === '{' ? 'key or end' : 'value or end')
    if ((word === '{' || word === '[') && valueIsValid) {
      open.push(word)
      next = word === '{' ? 'key or end' : 'value or end'
    } else if (
      (word === '}' || word === ']') &&
      open.at(-1) === (word === '}' ? '{' : '[') &&
      endIsValid
    ) {
      open.pop()
      next = afterValue()
    } else if (word === ',' && next === 'comma or end') next = open.at(-1) === '{' ? 'key' : 'value'
    else if (word === ':' && next === 'colon') next = 'value'
    else if (string !== undefined && (next === 'key' || next === 'key or end')) next = 'colon'
    else if (valueIsValid && !/^[{}[\],:]$/.test(word)) next = afterValue()
    else return nextCharacter()
    at = token.lastIndex
  }
}
