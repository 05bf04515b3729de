/** The languages of types. json-schema writes only the JSON Schemas. */
export const languages = [
  'typescript',
  'python',
  'go',
  'java',
  'csharp',
  'kotlin',
  'rust',
  'json-schema',
] as const
export type Language = (typeof languages)[number]

/** The languages whose code quicktype writes. */
export type CodeLanguage = Exclude<Language, 'typescript' | 'json-schema'>

/** The languages with `--package`, each with the default. */
export const defaultPackages = {
  java: 'contracts',
  kotlin: 'contracts',
  csharp: 'Contracts',
} satisfies Partial<Record<Language, string>>
export type PackageLanguage = keyof typeof defaultPackages

export const isPackageLanguage = (language: Language): language is PackageLanguage =>
  language in defaultPackages
