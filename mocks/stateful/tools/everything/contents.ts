import { z } from 'zod'
import { defineFixture, newErrorResult, newTextResult } from './fixture.ts'
import { redPixel, silence } from './media.ts'

const nothing = z.object({})
const image = { type: 'image', data: redPixel, mimeType: 'image/png' }

export const simpleText = defineFixture({
  name: 'test_simple_text',
  title: 'Simple text',
  description: 'Returns text.',
  input: nothing,
  run: () => newTextResult('This is a simple text response for testing.'),
})

export const imageContent = defineFixture({
  name: 'test_image_content',
  title: 'Image',
  description: 'Returns an image.',
  input: nothing,
  run: () => ({ content: [image] }),
})

export const audioContent = defineFixture({
  name: 'test_audio_content',
  title: 'Audio',
  description: 'Returns a sound.',
  input: nothing,
  run: () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }),
})

export const embeddedResource = defineFixture({
  name: 'test_embedded_resource',
  title: 'Embedded resource',
  description: 'Returns an embedded resource.',
  input: nothing,
  run: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
})

export const multipleContentTypes = defineFixture({
  name: 'test_multiple_content_types',
  title: 'Several contents',
  description: 'Returns text, an image and an embedded resource.',
  input: nothing,
  run: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }),
})

export const errorHandling = defineFixture({
  name: 'test_error_handling',
  title: 'Error',
  description: 'Always returns an error.',
  input: nothing,
  run: () => newErrorResult('This tool intentionally returns an error for testing'),
})
