import {
  CSharpTargetLanguage,
  GoRenderer,
  GoTargetLanguage,
  InputData,
  JSONPythonRenderer,
  JSONSchemaInput,
  JSONSchemaStore,
  JacksonRenderer,
  JavaTargetLanguage,
  KotlinTargetLanguage,
  KotlinXRenderer,
  PythonTargetLanguage,
  RustRenderer,
  RustTargetLanguage,
  SystemTextJsonCSharpRenderer,
  getOptionValues,
  goOptions,
  javaOptions,
  kotlinOptions,
  pythonOptions,
  quicktypeMultiFile,
  rustOptions,
  systemTextJsonCSharpOptions,
  type ClassProperty,
  type ClassType,
  type ConvenienceRenderer,
  type EnumType,
  type Name,
  type ObjectType,
  type RenderContext,
  type Sourcelike,
  type TargetLanguage,
  type Type,
  type UnionType,
} from 'quicktype-core'
import type { CodeLanguage } from '../languages.ts'
import type { QuicktypeInput } from './quicktype-input.ts'

// quicktype recommends subclasses to change what it writes (doc/CustomRenderer.md).

class PythonCode extends JSONPythonRenderer {
  /** Omits functions such as `push_payload_from_dict`, because each class has `from_dict`. */
  protected override emitClosingCode(): void {}
}

class GoCode extends GoRenderer {
  /** Begins each constant with the name of its type, because constants are unique in a package. */
  protected override makeNameForEnumCase(type: EnumType, name: Name, value: string): Name {
    return super.makeNameForEnumCase(type, name, value, `${type.getCombinedName()}_${value}`)
  }

  /** Indents by one tab, as gofmt does; quicktype uses two in its helper functions. */
  protected override emitMultiline(lines: string): void {
    super.emitMultiline(
      lines.replaceAll(/^\t+/gm, ({ length }) => '\t'.repeat(Math.ceil(length / 2))),
    )
  }

  /**
   * Aligns adjacent fields, as gofmt does. Keeps empty lists and maps: `omitzero` leaves out only
   * nil, which Go before 1.24 writes as null.
   */
  protected override emitTable = (rows: Sourcelike[][]): void => {
    const lines = rows.map((cells) => {
      const line = cells.map((cell) => this.sourcelikeToString(cell).trimEnd())
      return /^(?:\[\]|map\[)/.test(line[1] ?? '')
        ? line.map((cell) => cell.replace(',omitempty"', ',omitzero"'))
        : line
    })
    for (const [index, cells] of lines.entries()) {
      const widthOf = (column: number) =>
        Math.max(...adjacentTo(index, lines).map((row) => row[column]!.length))
      this.emitLine(
        cells
          .map((cell, column) =>
            column === cells.length - 1 ? cell : cell.padEnd(widthOf(column)),
          )
          .join(' '),
      )
    }
  }
}

/** Returns the lines around an index that have as many cells, without interruption. */
function adjacentTo(index: number, lines: readonly string[][]): readonly string[][] {
  const differs = ({ length }: string[]) => length !== lines[index]!.length
  const start = lines.slice(0, index).findLastIndex(differs) + 1
  const end = lines.findIndex((line, other) => other > index && differs(line))
  return lines.slice(start, end === -1 ? undefined : end)
}

class JavaCode extends JacksonRenderer {
  /** Omits the class `Converter`, because any `ObjectMapper` reads and writes the classes. */
  protected override emitConverterClass(): void {}

  protected override emitFileHeader(name: Sourcelike, imports: string[]): void {
    super.emitFileHeader(name, [...new Set(imports)])
  }

  protected override emitClassAttributes(type: ClassType, name: Name): void {
    super.emitClassAttributes(type, name)
    this.emitLine('@JsonIgnoreProperties(ignoreUnknown = true)')
  }

  protected override annotationsForAccessor(
    ...[type, name, propertyName, jsonName, property, isSetter]: Parameters<
      JacksonRenderer['annotationsForAccessor']
    >
  ): string[] {
    return [
      ...super.annotationsForAccessor(type, name, propertyName, jsonName, property, isSetter),
      ...(property.isOptional && !isSetter ? ['@JsonInclude(JsonInclude.Include.NON_NULL)'] : []),
    ]
  }
}

class CSharpCode extends SystemTextJsonCSharpRenderer {
  /** Leaves out every optional field without a value; quicktype would write nullable ones. */
  protected override attributesForProperty(
    ...[property, name, type, jsonName]: Parameters<
      SystemTextJsonCSharpRenderer['attributesForProperty']
    >
  ): Sourcelike[] | undefined {
    const attributes = super.attributesForProperty(property, name, type, jsonName)
    if (!property.isOptional || attributes === undefined) return attributes
    const others = attributes.filter(
      (attribute) => !this.sourcelikeToString(attribute).startsWith('[JsonIgnore('),
    )
    return ['[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]', ...others]
  }
}

class KotlinCode extends KotlinXRenderer {
  /** Writes any JSON value in place of a union: kotlinx.serialization cannot read a plain union. */
  protected override emitUnionDefinition(type: UnionType, name: Name): void {
    this.emitDescription(this.descriptionForType(type))
    this.emitLine('typealias ', name, ' = JsonElement')
  }
}

class RustCode extends RustRenderer {
  #property: ClassProperty | undefined

  /** Permits variants such as `String(String)`, which quicktype would call PurpleString. */
  protected override forbiddenForUnionMembers() {
    return { names: [], includeGlobalForbidden: false }
  }

  protected override forEachClassProperty(
    ...[type, blankLines, emit]: Parameters<ConvenienceRenderer['forEachClassProperty']>
  ): void {
    super.forEachClassProperty(type, blankLines, (name, jsonName, property, position) => {
      this.#property = property
      emit(name, jsonName, property, position)
      this.#property = undefined
    })
  }

  /** Leaves out optional fields without a value; quicktype could only leave out every null. */
  protected override emitDescription(description: Sourcelike[] | undefined): void {
    super.emitDescription(description)
    if (this.#property?.isOptional === true)
      this.emitLine('#[serde(skip_serializing_if = "Option::is_none")]')
  }
}

/** Names in the code of a contract. */
interface CodeNames {
  /** The file, unless the language needs one for each type. */
  file: string
  /** The package or namespace. */
  package: string
}

/** Adds the descriptions to what a renderer writes. */
type Describe = <Renderer extends ConvenienceRenderer>(renderer: Renderer) => Renderer

/** Returns the language with the renderer above, and its options. */
const targets: Record<
  CodeLanguage,
  (describe: Describe, names: CodeNames) => [TargetLanguage, Record<string, unknown>]
> = {
  python: (describe) => [
    new (class extends PythonTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(new PythonCode(this, context, getOptionValues(pythonOptions, options)))
      }
    })(),
    { 'python-version': '3.10' },
  ],
  go: (describe, names) => [
    new (class extends GoTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(new GoCode(this, context, getOptionValues(goOptions, options)))
      }
    })(),
    { package: names.package, 'omit-empty': true },
  ],
  java: (describe, names) => [
    new (class extends JavaTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(new JavaCode(this, context, getOptionValues(javaOptions, options)))
      }
    })(),
    { package: names.package, 'acronym-style': 'camel' },
  ],
  csharp: (describe, names) => [
    new (class extends CSharpTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(
          new CSharpCode(this, context, getOptionValues(systemTextJsonCSharpOptions, options)),
        )
      }
    })(),
    { namespace: names.package, 'array-type': 'list', 'dateonly-timeonly-converters': false },
  ],
  kotlin: (describe, names) => [
    new (class extends KotlinTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(new KotlinCode(this, context, getOptionValues(kotlinOptions, options)))
      }
    })(),
    { package: names.package, framework: 'kotlinx', 'acronym-style': 'camel' },
  ],
  rust: (describe) => [
    new (class extends RustTargetLanguage {
      protected override makeRenderer(context: RenderContext, options: object) {
        return describe(new RustCode(this, context, getOptionValues(rustOptions, options)))
      }
    })(),
    { 'leading-comments': false, 'integer-type': 'force-i64', 'derive-partial-eq': true },
  ],
}

/** Returns the code of the types in a language, by file name. */
export async function renderCode(
  language: CodeLanguage,
  { schema, types, properties }: QuicktypeInput,
  names: CodeNames,
): Promise<Map<string, string>> {
  const describe: Describe = (renderer) =>
    Object.assign(renderer, {
      descriptionForType: (type: Type) =>
        type.hasNames ? linesOf(types.get(type.getCombinedName())) : undefined,
      descriptionForClassProperty: (type: ObjectType, name: string) =>
        linesOf(properties.get(type.getCombinedName())?.get(name)),
    })
  const [lang, rendererOptions] = targets[language](describe, names)
  const input = new JSONSchemaInput(new NoOtherSchemas())
  await input.addSource({
    name: 'types',
    uris: ['types.json#/roots/'],
    schema: JSON.stringify(schema),
  })
  const inputData = new InputData()
  inputData.addInput(input)
  const rendered = await quicktypeMultiFile({
    inputData,
    lang,
    rendererOptions,
    outputFilename: names.file,
    // quicktype writes how to use the code in place of an undefined comment.
    leadingComments: [],
    // The forms of times vary, so they stay strings, and every type stays as it is.
    inferDateTimes: false,
    inferUuids: false,
    inferIntegerStrings: false,
    inferBooleanStrings: false,
    inferMaps: false,
    combineClasses: false,
  })
  return new Map([...rendered].map(([name, { lines }]) => [name, lines.join('\n')]))
}

/** The schema refers to no other document. */
class NoOtherSchemas extends JSONSchemaStore {
  override async fetch(): Promise<undefined> {
    return undefined
  }
}

/** The maximum length of a line of a comment, without its indentation. */
const maxLength = 88

/** Breaks a description into lines. */
function linesOf(description: string | undefined): string[] | undefined {
  if (description === undefined) return undefined
  const lines: string[] = []
  for (const word of description.split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + word.length < maxLength)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
