import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ContractExample } from './examples.testing.ts'

const run = promisify(execFile)

/** The compiler of a language, in the packages of Debian. */
interface Compiler {
  /** The packages, each with a file that exists if it is installed. */
  packages: Record<string, string>
  /**
   * Writes a program into the folder, which contains the generated code in `types/`, compiles it,
   * and runs it. The program reads the examples in `examples.tsv`, one in each line, and returns
   * what it writes for them. Folders with the same parent share the compiled libraries of Rust.
   */
  roundTrip(folder: string, examples: readonly ContractExample[]): Promise<string>
}

/** The file that contains the contract, the type and the value of each example. */
const exampleFile = 'examples.tsv'

/** Writes the examples for a program into a folder. */
export function writeExamples(folder: string, examples: readonly ContractExample[]): void {
  const lines = examples.map(({ contract, type, value }) =>
    [contract, type, JSON.stringify(value)].join('\t'),
  )
  writeFileSync(join(folder, exampleFile), `${lines.join('\n')}\n`)
}

/** Runs a program without variables that select another version of the compiler. */
async function output(folder: string, command: string, ...args: string[]): Promise<string> {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' }
  const options = { cwd: folder, env, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(command, args, options)
  return stdout
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Returns the distinct types of the examples. */
const typesOf = (examples: readonly ContractExample[]) => [
  ...new Map(
    examples.map(({ contract, type }) => [`${contract}.${type}`, { contract, type }]),
  ).values(),
]

const contractsOf = (examples: readonly ContractExample[]) => [
  ...new Set(examples.map(({ contract }) => contract)),
]

const python: Compiler = {
  packages: { python3: '/usr/bin/python3' },
  async roundTrip(folder) {
    write(
      folder,
      'types/round_trip.py',
      `import importlib, json
for line in open("${exampleFile}", encoding="utf-8"):
    contract, name, value = line.rstrip("\\n").split("\\t")
    type_ = getattr(importlib.import_module(contract), name)
    print(json.dumps(type_.from_dict(json.loads(value)).to_dict()))
`,
    )
    return output(folder, '/usr/bin/python3', '-W', 'error', 'types/round_trip.py')
  },
}

const go: Compiler = {
  packages: { 'golang-go': '/usr/bin/go' },
  async roundTrip(folder, examples) {
    write(folder, 'types/go.mod', 'module contracts\n\ngo 1.19\n')
    write(
      folder,
      'types/main.go',
      `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

${contractsOf(examples)
  .map((contract) => `\t"contracts/${contract}"`)
  .join('\n')}
)

var types = map[string]func() interface{}{
${typesOf(examples)
  .map(
    ({ contract, type }) =>
      `\t"${contract}\\t${type}": func() interface{} { return new(${contract}.${type}) },`,
  )
  .join('\n')}
}

func main() {
	file, err := os.Open("../${exampleFile}")
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		at := strings.LastIndex(lines.Text(), "\\t")
		value := types[lines.Text()[:at]]()
		if err := json.Unmarshal([]byte(lines.Text()[at+1:]), value); err != nil {
			panic(err)
		}
		written, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(written))
	}
}
`,
    )
    const types = join(folder, 'types')
    const unformatted = await output(types, '/usr/bin/gofmt', '-l', ...contractsOf(examples))
    if (unformatted !== '') throw new Error(`gofmt would change ${unformatted}`)
    await output(types, '/usr/bin/go', 'vet', './...')
    return output(types, '/usr/bin/go', 'run', '.')
  },
}

const java: Compiler = {
  packages: {
    'default-jdk-headless': '/usr/bin/javac',
    'libjackson2-databind-java': '/usr/share/java/jackson-databind.jar',
  },
  async roundTrip(folder, examples) {
    write(
      folder,
      'types/RoundTrip.java',
      `import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.nio.file.*;

public class RoundTrip {
    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (String line : Files.readAllLines(Path.of("${exampleFile}"))) {
            String[] parts = line.split("\\t");
            Class<?> type = Class.forName("contracts." + parts[0] + "." + parts[1]);
            out.println(mapper.writeValueAsString(mapper.readValue(parts[2], type)));
        }
        out.flush();
    }
}
`,
    )
    const jars = ['databind', 'core', 'annotations']
      .map((name) => `/usr/share/java/jackson-${name}.jar`)
      .join(':')
    const sources = contractsOf(examples).map((contract) => `types/${contract}/*.java`)
    await output(
      folder,
      '/bin/sh',
      '-c',
      `/usr/bin/javac -Werror -encoding UTF-8 -cp ${jars} -d classes types/RoundTrip.java ${sources.join(' ')}`,
    )
    return output(folder, '/usr/bin/java', '-cp', `${jars}:classes`, 'RoundTrip')
  },
}

const rust: Compiler = {
  packages: {
    rustc: '/usr/bin/rustc',
    cargo: '/usr/bin/cargo',
    'librust-serde-dev': '/usr/share/doc/librust-serde-dev',
    'librust-serde-derive-dev': '/usr/share/doc/librust-serde-derive-dev',
    'librust-serde-json-dev': '/usr/share/doc/librust-serde-json-dev',
  },
  async roundTrip(folder, examples) {
    write(
      folder,
      'Cargo.toml',
      `[package]
name = "round-trip"
version = "0.0.0"
edition = "2021"

[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = "1"
`,
    )
    write(
      folder,
      '.cargo/config.toml',
      `[source.crates-io]
replace-with = "debian"

[source.debian]
directory = "/usr/share/cargo/registry"

[build]
target-dir = "../rust"
`,
    )
    write(
      folder,
      'src/main.rs',
      `#![deny(warnings)]
${contractsOf(examples)
  .map((contract) => `#[allow(dead_code)]\nmod ${contract};`)
  .join('\n')}

fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(json: &str) -> String {
    serde_json::to_string(&serde_json::from_str::<T>(json).unwrap()).unwrap()
}

fn main() {
    for line in std::fs::read_to_string("${exampleFile}").unwrap().lines() {
        let parts: Vec<&str> = line.split('\\t').collect();
        println!("{}", match (parts[0], parts[1]) {
${typesOf(examples)
  .map(
    ({ contract, type }) =>
      `            ("${contract}", "${type}") => round_trip::<${contract}::${type}>(parts[2]),`,
  )
  .join('\n')}
            _ => panic!("unknown type"),
        });
    }
}
`,
    )
    for (const contract of contractsOf(examples))
      cpSync(join(folder, `types/${contract}.rs`), join(folder, `src/${contract}.rs`))
    return output(folder, '/usr/bin/cargo', 'run', '--quiet', '--offline')
  },
}

/** The languages whose code is compiled and run. */
export const compilers = { python, go, java, rust }

/** The packages for Kotlin, each with a file that exists if it is installed. */
export const kotlinPackages = { kotlin: '/usr/bin/kotlinc' }

/**
 * Compiles the Kotlin code in a folder. Debian does not have kotlinx.serialization, so declarations
 * of the names that the code uses replace it.
 */
export async function compileKotlin(folder: string, files: readonly string[]): Promise<void> {
  const declarations = {
    '': `@Target(AnnotationTarget.CLASS) annotation class Serializable
@Target(AnnotationTarget.PROPERTY) annotation class SerialName(val value: String)`,
    '.json':
      'open class JsonElement\nclass JsonObject : JsonElement()\nclass JsonArray : JsonElement()',
    '.descriptors': 'class Unused',
    '.encoding': 'class Unused',
  }
  const paths = Object.entries(declarations).map(([name, text], index) => {
    write(folder, `library/${index}.kt`, `package kotlinx.serialization${name}\n\n${text}\n`)
    return `library/${index}.kt`
  })
  await output(folder, '/usr/bin/kotlinc', '-Werror', '-d', 'classes', ...paths, ...files)
}
