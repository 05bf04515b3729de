/** What `@touchstone/contracts` exports: for each path of an import, its source file. */
export const entryPoints: Readonly<Record<string, string>> = {
  auth: 'generated/auth/documented/index.ts',
  'auth/stated': 'generated/auth/index.ts',
  events: 'kit/events/index.ts',
  'events/stated': 'generated/events/index.ts',
  greeting: 'generated/greeting/types.ts',
  hooks: 'generated/hooks/documented/index.ts',
  'hooks/stated': 'generated/hooks/index.ts',
  images: 'kit/images/index.ts',
  'images/stated': 'generated/images/index.ts',
  tools: 'conformance/definitions/entry-point.ts',
  'tools/stated': 'generated/tools/index.ts',
}

/** The folders and files that are copied as they are, by their place in the package. */
export const copies: Readonly<Record<string, string>> = {
  specs: 'specs/bundled',
  'specs/greeting.binpb': 'generated/greeting/descriptor.binpb',
  payloads: 'specs/examples/events',
  // esbuild puts the helper of ajv for the length of strings into the files.
  'LICENSE-ajv': 'node_modules/ajv/LICENSE',
  'schemas/auth': 'generated/auth/documented/schemas',
  'schemas/events': 'generated/events/documented/schemas',
  'schemas/hooks': 'generated/hooks/documented/schemas',
  'schemas/images': 'generated/images/documented/schemas',
  'schemas/tools': 'generated/tools/documented/schemas',
}
