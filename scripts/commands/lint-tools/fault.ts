// JSON.parse does not always tell where a text stops being JSON.

const token =
  /[ \t\n\r]*(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b|[{}[\],:])/y
const space = /[ \t\n\r]*/y

/** The place of the first character that cannot stand there in JSON; the end of the text where something is missing. */
export function faultIn(text: string): number {
  const open: ('{' | '[')[] = []
  /** What may come next. */
  let next: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing' =
    'value'
  let at = 0
  const start = () => {
    space.lastIndex = at
    space.exec(text)
    return space.lastIndex
  }
  const closed = () => (open.length === 0 ? 'nothing' : 'comma or end')
  for (;;) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return start()
    const [whole, string] = found
    const word = whole.trimStart()
    const takesValue = next === 'value' || next === 'value or end'
    const takesEnd =
      next === 'comma or end' || next === (open.at(-1) === '{' ? 'key or end' : 'value or end')
    if ((word === '{' || word === '[') && takesValue) {
      open.push(word)
      next = word === '{' ? 'key or end' : 'value or end'
    } else if (
      (word === '}' || word === ']') &&
      open.at(-1) === (word === '}' ? '{' : '[') &&
      takesEnd
    ) {
      open.pop()
      next = closed()
    } else if (word === ',' && next === 'comma or end') next = open.at(-1) === '{' ? 'key' : 'value'
    else if (word === ':' && next === 'colon') next = 'value'
    else if (string !== undefined && (next === 'key' || next === 'key or end')) next = 'colon'
    else if (takesValue && !/^[{}[\],:]$/.test(word)) next = closed()
    else return start()
    at = token.lastIndex
  }
}
