import { entryPoints } from './entry-points.ts'

/** The `exports` of the package. ECMAScript modules get a thin wrapper of the CommonJS module. */
export const exportsOfPackage = (): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(entryPoints).map(([name, source]) => [
      `./${name}`,
      {
        import: {
          types: `./dist/esm/${name}.d.ts`,
          // The condition that bundlers know, and Node does not.
          module: `./dist/esm/${name}.bundler.js`,
          default: `./dist/esm/${name}.js`,
        },
        require: { types: `./dist/${declarationOf(source)}`, default: `./dist/cjs/${name}.js` },
      },
    ]),
  ),
  './specs/*': './dist/specs/*',
  './schemas/*': './dist/schemas/*',
  './payloads/*': './dist/payloads/*',
  './package.json': './package.json',
})

/** The declarations of a source file, from the folder `dist`. */
export const declarationOf = (source: string): string =>
  `cjs/types/${source.replace(/\.ts$/, '.d.ts')}`
