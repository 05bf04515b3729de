import ts from 'typescript'

/** A piece of text that people read, and where it starts. */
export interface Passage {
  readonly text: string
  /** 1 for the first line. */
  readonly line: number
  /** Whether the text is the name of a declaration. */
  readonly isName?: boolean
}

/**
 * Returns the comments and templates of a source file, its strings of more than one word, and the
 * names that it declares, split into words.
 */
export function passagesOfSource(source: string): Passage[] {
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1
  const comments = new Map<number, Passage>()
  const strings: Passage[] = []
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ])
      comments.set(pos, { text: source.slice(pos, end), line: lineAt(pos) })
    const isTemplate = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isTemplate || (ts.isStringLiteralLike(node) && node.text.trim().includes(' ')))
      strings.push({ text: node.text, line: lineAt(node.getStart(file)) })
    if (isDeclared(node))
      strings.push({ text: wordsOf(node.text), line: lineAt(node.getStart(file)), isName: true })
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  return [...comments.values(), ...strings].toSorted((one, other) => one.line - other.line)
}

/** Whether an identifier is the name of the declaration that contains it. */
const isDeclared = (node: ts.Node): node is ts.Identifier =>
  ts.isIdentifier(node) && (node.parent as { name?: ts.Node }).name === node && isNamed(node.parent)

const isNamed = (node: ts.Node): boolean =>
  (ts.isBindingElement(node) && node.propertyName !== undefined) ||
  (!ts.isBindingElement(node) &&
    !ts.isPropertyAccessExpression(node) &&
    !ts.isImportSpecifier(node) &&
    !ts.isExportSpecifier(node))

/** Splits a name into words: "time of reply" for `timeOfReply`. */
const wordsOf = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()

/** The lines of a Markdown or YAML file, without code between backticks. */
export const passagesOfText = (content: string): Passage[] =>
  content
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]+/g, ''))
    .split('\n')
    .map((text, index) => ({ text: text.replace(/`[^`]*`/g, ''), line: index + 1 }))
