/** What the screen shows at one moment. */
export interface Frame {
  /** When, as a heading of the frame. */
  readonly moment: string
  readonly screen: string
}

/** The screens of one first run. */
export interface Recording {
  readonly title: string
  readonly frames: readonly Frame[]
}

/** Renders the recordings as a Markdown page. */
export function renderPage(recordings: readonly Recording[]): string {
  const sections = recordings.map(({ title, frames }) =>
    [
      `## ${title}`,
      ...frames.flatMap(({ moment, screen }) => [
        `${moment}:`,
        `\`\`\`text\n${screen.replaceAll(/[ \t]+$/gm, '')}\n\`\`\``,
      ]),
    ].join('\n\n'),
  )
  return `# First runs

What a terminal of 80 columns and 24 lines shows when a new user enters the first commands of the
[README](../README.md). \`npm run recordings\` writes this page from real runs.

${sections.join('\n\n')}
`
}

/** Returns the screens of a page that `renderPage` has written. */
export function readScreens(page: string): string[] {
  return [...page.matchAll(/^\`\`\`text\n([\s\S]*?)\n\`\`\`$/gm)].map(([, screen]) => screen!)
}
