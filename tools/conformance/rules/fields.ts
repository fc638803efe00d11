/** Rules of the fields of POST /jobs (specification 4.1): each wrong field answers 400 and is named. */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const VIDEO = 'https://www.youtube.com/watch?v=jNQXAC9IVRw'

/** Asserts that each body answers 400 `invalid_request`, with this word in its message. */
async function allRefused(
  kit: Kit,
  word: string,
  bodies: unknown[],
  code = 'invalid_request',
): Promise<void> {
  for (const body of bodies) {
    const reply = await kit.post(body)
    const sent = JSON.stringify(body).slice(0, 100)
    assert.deepEqual([reply.status, reply.body['error']?.code], [400, code], sent)
    assert.ok(
      reply.body['error'].message.includes(word),
      `${sent}: "${reply.body['error'].message}" does not name ${word}`,
    )
  }
}
const with_ = (field: string, values: unknown[]): Json[] =>
  values.map((value) => ({ urls: VIDEO, [field]: value }))

export const fieldRules: Rule[] = [
  rule('urls is required, a non-empty string or 1 to 50 strings', (kit) =>
    allRefused(kit, 'urls', [
      {},
      { urls: null },
      { urls: 5 },
      { urls: true },
      { urls: {} },
      { urls: '' },
      { urls: [] },
      { urls: [5] },
      { urls: [null] },
      { urls: [VIDEO, 7] },
      { urls: [[VIDEO]] },
      { urls: [{ url: VIDEO }] },
      { urls: Array.from({ length: 51 }, () => VIDEO) },
    ]),
  ),
  rule('urls with nothing but blanks answers 400', (kit) =>
    allRefused(kit, 'urls', [{ urls: ' ' }, { urls: '\n\n \t' }, { urls: ['', ' ', '\r\n'] }]),
  ),
  rule('More than 50 lines answer 400, counted before equal ones are joined', (kit) =>
    allRefused(kit, 'urls', [
      { urls: Array.from({ length: 51 }, () => VIDEO).join('\n') },
      { urls: [...Array.from({ length: 49 }, () => VIDEO), `${VIDEO}\n${VIDEO}`] },
      { urls: Array.from({ length: 51 }, () => VIDEO).join(',') },
      { urls: JSON.stringify(Array.from({ length: 51 }, () => VIDEO)) },
    ]),
  ),
  rule('An unknown property answers 400 and is named', (kit) =>
    allRefused(kit, 'webhook', [
      { urls: VIDEO, webhook: 'https://x.test' },
      { webhook: null, urls: VIDEO },
      { urls: VIDEO, maxVideos: 1, webhook: {} },
    ]),
  ),
  rule('A property named __proto__ or constructor is unknown too', async (kit) => {
    await allRefused(kit, '__proto__', [
      JSON.parse(`{"urls":"${VIDEO}","__proto__":{"maxVideos":1}}`),
    ])
    await allRefused(kit, 'constructor', [{ urls: VIDEO, constructor: {} }])
  }),
  rule('null for an optional field answers 400', async (kit) => {
    for (const field of ['language', 'formats', 'maxVideos', 'publishedAfter', 'publishedBefore'])
      await allRefused(kit, field, with_(field, [null]))
  }),
  rule('maxVideos is a whole number from 1 to 500, never a string', (kit) =>
    allRefused(kit, 'maxVideos', [
      ...with_('maxVideos', [0, 501, -1, 1.5, '5', true, [], {}, 1e21, 2 ** 53]),
      JSON.parse(`{"urls":"${VIDEO}","maxVideos":1}`.replace('1}', '"1"}')) as Json,
    ]),
  ),
  rule('A maxVideos too large for any number answers 400', async (kit) => {
    for (const text of ['1e400', '-1e400', '99999999999999999999999999']) {
      const reply = await kit.ask('POST', '/jobs', {
        body: `{"urls":"${VIDEO}","maxVideos":${text}}`,
      })
      assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'])
      assert.match(reply.body['error'].message, /maxVideos/)
    }
  }),
  rule('formats is a list of text, srt, vtt and segments with at least one', (kit) =>
    allRefused(
      kit,
      'formats',
      with_('formats', [[], ['pdf'], ['text', 5], 'text', ['TEXT'], [null], {}, 5]),
    ),
  ),
  rule('language is `original` or a language code', (kit) =>
    allRefused(
      kit,
      'language',
      with_('language', [
        '',
        'e',
        'english',
        'en_US',
        'en-',
        '-',
        'en US',
        5,
        ['en'],
        'en-a',
        'original ',
        'en\n',
        'a'.repeat(300),
      ]),
    ),
  ),
  rule('Dates are YYYY-MM-DD or ISO date-times that exist', async (kit) => {
    for (const field of ['publishedAfter', 'publishedBefore']) {
      await allRefused(
        kit,
        field,
        with_(field, [
          '',
          'yesterday',
          '2026-02-30',
          '2026-13-01',
          '01.02.2026',
          '2026-1-1',
          5,
          '2026-01-01T25:00:00Z',
          '2026',
          '2026-01-01 ',
          1e12,
          ['2026-01-01'],
        ]),
      )
    }
  }),
  rule('publishedAfter later than publishedBefore answers 400', (kit) =>
    allRefused(kit, 'publishedAfter', [
      { urls: VIDEO, publishedAfter: '2026-02-01', publishedBefore: '2026-01-01' },
    ]),
  ),
  rule(
    'Zero characters and half surrogate pairs answer 400 invalid_request, naming the field',
    async (kit) => {
      for (const text of ['\u0000', `${VIDEO}\u0000`, '\ud800'])
        await allRefused(kit, 'urls', [{ urls: text }, { urls: [VIDEO, text] }])
      await allRefused(kit, 'language', with_('language', ['\u0000', 'e\udfff']))
    },
  ),
  rule(
    'A line that is no video, playlist or channel answers 400 invalid_url and quotes it; nothing starts',
    async (kit) => {
      const before = await kit.get('/balance')
      for (const line of [
        'https://example.org/',
        'not a url',
        'https://www.youtube.com/',
        'https://www.youtube.com/results?search_query=x',
        'https://www.youtube.com/playlist?list=WL',
        'ftp://www.youtube.com/watch?v=jNQXAC9IVRw',
        'https://www.youtube.com.evil.test/watch?v=jNQXAC9IVRw',
        '💥',
      ]) {
        await allRefused(
          kit,
          JSON.stringify(line),
          [{ urls: line }, { urls: [VIDEO, line] }],
          'invalid_url',
        )
      }
      assert.deepEqual(await kit.get('/balance'), before)
    },
  ),
  rule('Words beside an address answer 400 invalid_url and are quoted; nothing is cut off', (kit) =>
    allRefused(
      kit,
      '"and so on"',
      [
        `${VIDEO},and so on`,
        `${VIDEO} and so on`,
        `and so on: ${VIDEO}`.replace(':', ','),
        `${VIDEO}|${VIDEO} and so on`,
      ].map((line) => ({ urls: [VIDEO, line] })),
      'invalid_url',
    ),
  ),
]
