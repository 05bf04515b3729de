import {
  bidirectionalGreeting as method,
  encodeGreetingResponse,
  messages,
  type Field,
} from '../../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  changeHeaders,
  changeMessages,
  isGreeting,
  onStream,
  replaceRules,
  stringField,
} from '../building.ts'
import {
  greetings,
  mutantsAt,
  rawField,
  unusedNumber,
  withField,
  type Deviation,
  type GreetingMutant,
} from './building.ts'

const fields = messages[method.output]

/** Encodings of a field as if it had another type. */
const otherTypes: Readonly<Record<string, (number: number, value: string) => Buffer>> = {
  'as a number of variable length': (number, value) => rawField(number, 0, value.length & 127),
  'as a number of eight bytes': (number) => rawField(number, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f),
  'as a number of four bytes': (number) => rawField(number, 5, 42, 0, 0, 0),
  'as a group': (number, value) =>
    Buffer.concat([rawField(number, 3), stringField(1, value), rawField(number, 4)]),
  // Field 1 contains the number 300, as the seconds of a Timestamp do.
  'as a message with a number': (number) => stringField(number, Buffer.from([0x08, 0xac, 0x02])),
  'as packed numbers': (number) => stringField(number, Buffer.from([0xac, 0x02, 0x80, 0x01])),
}

/** Byte sequences that are not UTF-8. */
const invalidUtf8: Readonly<Record<string, readonly number[]>> = {
  'with a byte of Latin-1': [0xe9],
  'with half of a character': [0xe6, 0x97],
  'with a surrogate': [0xed, 0xa0, 0xbd],
  'with an overlong character': [0xc0, 0xaf],
  'with a character above U+10FFFF': [0xf5, 0x80, 0x80, 0x80],
}

/**
 * For each field, the requirement that is violated if the field contains the value of another
 * field.
 */
const valueOfAnother: Readonly<Record<string, RequirementId>> = {
  message: 'GRT-NAME-06',
  server_timestamp: 'GRT-NAME-03',
}

function deviationsOf(field: Field): Deviation[] {
  const { name, number, requirement, presence = requirement } = field
  const deviation = (
    how: string,
    description: string,
    violated: RequirementId,
    encode: Parameters<typeof withField>[1],
  ): Deviation => ({ how, description, violates: [violated], make: withField(field, encode) })
  return [
    deviation('missing', 'is missing', presence, () => Buffer.alloc(0)),
    deviation('empty', 'is present and empty', presence, () => stringField(number, '')),
    // If a field occurs twice, its last value counts.
    deviation('emptied', 'is followed by an empty value', presence, (value) =>
      Buffer.concat([stringField(number, value), stringField(number, '')]),
    ),
    deviation('with another number', 'has another number', presence, (value) =>
      stringField(unusedNumber, value),
    ),
    ...Object.entries(otherTypes).map(([how, encode]) =>
      deviation(how, `is encoded ${how}`, requirement, (value) => encode(number, value)),
    ),
    ...Object.entries(invalidUtf8).map(([how, bytes]) =>
      deviation(how, `ends ${how}`, requirement, (value) =>
        stringField(number, Buffer.concat([Buffer.from(value), Buffer.from(bytes)])),
      ),
    ),
    ...fields
      .filter((other) => other !== field)
      .map((other) =>
        deviation(
          `with the value of ${other.name}`,
          `has the value of ${other.name}`,
          valueOfAnother[name]!,
          (_value, all) => stringField(number, all[other.name] ?? ''),
        ),
      ),
  ]
}

/** Changes the encoding of each response. */
const encodedAs = (change: (encoded: Buffer) => Buffer) =>
  replaceRules((_rules, hit) => ({
    encode(response) {
      hit()
      return change(Buffer.from(encodeGreetingResponse(response)))
    },
  }))

/** Bytes that make a message invalid if they are added at its end. */
const invalidEnds: Readonly<Record<string, Buffer>> = {
  'a tag without a value': rawField(unusedNumber, 0),
  'half a number of eight bytes': rawField(unusedNumber, 1, 1, 2, 3, 4),
  'half a number of four bytes': rawField(unusedNumber, 5, 1, 2),
  'a string longer than the message': rawField(unusedNumber, 2, 100, 65),
  'a group without an end': rawField(unusedNumber, 3),
  'the end of a group without a start': rawField(unusedNumber, 4),
  'the end of another group': Buffer.concat([
    rawField(unusedNumber, 3),
    rawField(unusedNumber + 1, 4),
  ]),
  'an unknown wire type': rawField(unusedNumber, 7, 1),
  'the field number 0': stringField(0, 'zero'),
  'an endless number': rawField(unusedNumber, 0, ...Array.from({ length: 11 }, () => 0xff)),
}

/** Changes the frames of responses. */
const framedAs = (change: (frame: Buffer) => Buffer) =>
  onStream((stream, headers, hit) => {
    if (!isGreeting(headers)) return
    changeMessages(stream, (frame) => {
      hit()
      return change(frame)
    })
  })

const withHeader = (frame: Buffer, flags: number, length: number): Buffer => {
  const changed = Buffer.from(frame)
  changed.writeUInt8(flags, 0)
  changed.writeUInt32BE(length, 1)
  return changed
}

const wholeMessage: readonly Deviation[] = [
  {
    how: 'without bytes',
    description: 'has no bytes',
    violates: fields.flatMap(({ presence }) => presence ?? []),
    make: encodedAs(() => Buffer.alloc(0)),
  },
  ...[
    ...Object.entries(invalidEnds).map(
      ([end, bytes]) =>
        [`ends with ${end}`, (encoded: Buffer) => Buffer.concat([encoded, bytes])] as const,
    ),
    [
      'is cut in the middle',
      (encoded: Buffer) => encoded.subarray(0, encoded.length >> 1),
    ] as const,
    ['is in base64', (encoded: Buffer) => Buffer.from(encoded.toString('base64'))] as const,
  ].map(([how, change]) => ({
    how,
    description: how,
    violates: [method.responseStreamRequirement],
    make: encodedAs(change),
  })),
  ...[
    [
      'has a frame with an unknown flag',
      (frame: Buffer) => withHeader(frame, 2, frame.length - 5),
    ] as const,
    [
      'has a frame that is marked as compressed',
      (frame: Buffer) => withHeader(frame, 1, frame.length - 5),
    ] as const,
    [
      'has a frame with a length that is too large',
      (frame: Buffer) => withHeader(frame, 0, frame.length - 4),
    ] as const,
    [
      'has a frame with a length that is too small',
      (frame: Buffer) => withHeader(frame, 0, frame.length - 6),
    ] as const,
    ['has no frame', (frame: Buffer) => frame.subarray(5)] as const,
  ].map(([how, change]) => ({
    how,
    description: how,
    violates: [method.responseStreamRequirement],
    make: framedAs(change),
  })),
  {
    how: 'is framed by an undeclared compression',
    description: 'is marked as compressed with identity',
    violates: [method.responseStreamRequirement],
    make: onStream((stream, headers, hit) => {
      if (!isGreeting(headers)) return
      changeHeaders(stream, (sent) => ({ ...sent, 'grpc-encoding': 'identity' }))
      changeMessages(stream, (frame) => {
        hit()
        return withHeader(frame, 1, frame.length - 5)
      })
    }),
  },
]

/** The mutants of each field of a response, and of a whole response. */
export const responses: readonly GreetingMutant[] = [
  ...fields.flatMap((field) =>
    mutantsAt(
      `${method.output}.${field.name}`,
      `In a response, ${field.name}`,
      greetings,
      deviationsOf(field),
    ),
  ),
  ...mutantsAt(method.output, 'A response', greetings, wholeMessage),
]
