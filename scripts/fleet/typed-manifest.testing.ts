import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Compares manifests with the types of kubernetes-models, which are generated from the API
 * description of Kubernetes. In contrast to its validators, types do not allow unknown fields.
 * Returns the messages of all errors.
 */
export function typeErrorsOf(manifests: readonly { module: string; value: object }[]): string[] {
  const source = manifests
    .map(({ module, value }, index) => {
      const type = `I${(value as { kind: string }).kind}`
      return `import type { ${type} as T${index} } from 'kubernetes-models/${module}'
export const m${index}: T${index} = ${JSON.stringify(value)}`
    })
    .join('\n')
  const file = `${root}scripts/fleet/manifests.ts`
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists.call(host, name)
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023)
      : getSourceFile.call(host, name, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
