import { at, shows } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { pixelFile as file } from '../support/requests.ts'

const metadata = '{"label":"touchstone"}'

export const upload = [
  check('IMG-UPLOAD-01', {
    title: 'stores the part named file',
    async run({ succeeds, request }) {
      await succeeds(request.upload({ file }))
    },
  }),

  check('IMG-IMAGE-02', {
    title: 'makes up a different id for each image',
    async run({ store, expectOf }) {
      const ids = (await Promise.all([store(), store()])).map(({ id }) => id)
      expectOf(ids, {
        name: 'ids differ',
        expected: 'two ids',
        test: ([a, b]) => a !== b,
        received: ([a, b]) => `${a} and ${b}`,
      })
    },
  }),

  check('IMG-IMAGE-03', {
    title: 'makes up ids of some form',
    async run({ image, observe }) {
      observe(`an id: ${(await image()).id}`)
    },
  }),

  check('IMG-IMAGE-05', {
    title: 'gives an image some filename',
    async run({ image, observe }) {
      observe(
        `pixel.png is called ${JSON.stringify(at((await image()).upload, 'result', 'filename'))}`,
      )
    },
  }),

  check('IMG-UPLOAD-03', {
    title: 'refuses an upload without a file and without a URL',
    async run({ refuses, request }) {
      const requireSignedURLs = 'false'
      await refuses(request.upload({ requireSignedURLs }), 'invalid', {
        contrast: request.upload({ requireSignedURLs, file }),
        root: 'IMG-UPLOAD-06',
      })
    },
  }),

  check('IMG-UPLOAD-04', {
    title: 'refuses a file and a URL together',
    async run({ refuses, request, pictures, name }) {
      const url = (await pictures()).picture(name())
      await refuses(request.upload({ file, url }), 'invalid', {
        contrast: request.upload({ file }),
      })
    },
  }),

  check('IMG-UPLOAD-05', {
    title: 'takes the id that an upload supplies',
    needs: ['images.state'],
    async run({ succeeds, request, name }) {
      const id = name()
      await succeeds(
        request.upload({ file, id }),
        undefined,
        shows('has that id', ['result', 'id'], id),
      )
    },
  }),

  check('IMG-UPLOAD-06', {
    title: 'takes requireSignedURLs as true and as false',
    async run({ succeeds, idOf, request, settled, expect }) {
      const play = async (value: boolean) => {
        const shown = shows(`${value}: has it`, ['result', 'requireSignedURLs'], value)
        const stored = await succeeds(
          request.upload({ file, requireSignedURLs: String(value) }),
          String(value),
          shown,
        )
        const read = await settled(request.get(idOf(stored)), shown.test)
        expect(read, shows(`${value}: keeps it`, ['result', 'requireSignedURLs'], value))
      }
      await Promise.all([play(true), play(false)])
    },
  }),

  check('IMG-UPLOAD-07', {
    title: 'has some setting where an upload has none',
    async run({ image, observe }) {
      observe(
        `requireSignedURLs is ${JSON.stringify(at((await image()).upload, 'result', 'requireSignedURLs'))}`,
      )
    },
  }),

  check('IMG-UPLOAD-08', {
    title: 'refuses a requireSignedURLs that is no boolean',
    async run({ refuses, request }) {
      await refuses(request.upload({ file, requireSignedURLs: 'perhaps' }), 'invalid', {
        contrast: request.upload({ file, requireSignedURLs: 'true' }),
        root: 'IMG-UPLOAD-06',
      })
    },
  }),

  check('IMG-UPLOAD-09', {
    title: 'takes metadata with an upload',
    async run({ succeeds, request }) {
      const everyKind =
        '{"label":"touchstone","count":3,"ratio":0.5,"open":true,"none":null,"nested":{"list":["a",1]}}'
      await succeeds(request.upload({ file, metadata: everyKind }))
    },
  }),

  check('IMG-UPLOAD-10', {
    title: 'refuses metadata that is no JSON object',
    async run({ refuses, request }) {
      const contrast = request.upload({ file, metadata })
      const wrong = {
        'an array': '["label"]',
        'a text': '"label"',
        'a number': '7',
        'broken JSON': '{"label":',
      }
      await Promise.all(
        Object.entries(wrong).map(([label, text]) =>
          refuses(request.upload({ file, metadata: text }), 'invalid', {
            contrast,
            root: 'IMG-UPLOAD-09',
            label,
          }),
        ),
      )
    },
  }),
]
