/** Returns the fenced code blocks of a language in a Markdown page. */
export function readBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```/gm)]
    .filter(([, , name]) => name === language)
    .map(([, indent, , content]) => content!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/**
 * Returns the commands in a Markdown page, without comments: the lines of its `sh` blocks, and the
 * workflow steps that call `npx touchstone`. Omits lines that begin with `export `.
 */
export function readCommands(markdown: string): string[] {
  const lines = readBlocks(markdown, 'sh').flatMap((block) =>
    block.replaceAll(/\\\n\s*/g, '').split('\n'),
  )
  const steps = readBlocks(markdown, 'yaml').flatMap((block) =>
    [...block.matchAll(/- run: (npx touchstone .*)/g)].map(([, command]) => command!),
  )
  return [...lines, ...steps]
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('export '))
}
