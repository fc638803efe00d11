/** Rules of the body of POST /jobs as bytes: type, size, encoding, JSON. */
import assert from 'node:assert/strict'
import type { Reply } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const BODY_BYTES_MAX = 65_536
const refused = (reply: Reply, status: number): void =>
  assert.deepEqual([reply.status, reply.body['error']?.code], [status, 'invalid_request'])
const typed = (kit: Kit, type: string | undefined, body: string | Buffer = '{}'): Promise<Reply> =>
  kit.ask('POST', '/jobs', { body, headers: { 'Content-Type': type } })
/** Returns valid JSON of this many bytes that is refused for a field only. */
const sized = (bytes: number): string => `{"maxVideos":0${' '.repeat(bytes - 15)}}`

export const bodyRules: Rule[] = [
  rule('A Content-Type that is not application/json answers 415', async (kit) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/json',
      'application/json+x',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'application/json, text/plain',
      '*/*',
      'json',
    ])
      refused(await typed(kit, type), 415)
    const bare = await kit.ask('POST', '/jobs')
    refused(bare, 415)
  }),
  rule('application/json is accepted in any case and with charset=utf-8', async (kit) => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json ; charset="utf-8"',
    ]) {
      refused(await typed(kit, type), 400)
    }
  }),
  rule('A Content-Encoding answers 415', async (kit) => {
    for (const encoding of ['gzip', 'br', 'deflate'])
      refused(
        await kit.ask('POST', '/jobs', { body: '{}', headers: { 'Content-Encoding': encoding } }),
        415,
      )
  }),
  rule(
    'A body of 65,536 bytes is read, one of 65,537 answers 413, with and without a length',
    async (kit) => {
      refused(await typed(kit, 'application/json', sized(BODY_BYTES_MAX)), 400)
      refused(await typed(kit, 'application/json', sized(BODY_BYTES_MAX + 1)), 413)
      refused(await typed(kit, 'application/json', Buffer.alloc(1_000_000, 0x20)), 413)
      const chunked = (bytes: number): Promise<Reply> => {
        const text = Buffer.from(sized(bytes))
        return kit.ask('POST', '/jobs', { body: [text.subarray(0, 40_000), text.subarray(40_000)] })
      }
      refused(await chunked(BODY_BYTES_MAX), 400)
      refused(await chunked(BODY_BYTES_MAX + 1), 413)
    },
  ),
  rule('After a refusal the connection goes on with the next request', async (kit) => {
    for (let count = 0; count < 3; count++) {
      refused(await typed(kit, 'application/json', sized(80_000)), 413)
      refused(await typed(kit, 'text/plain', 'x'.repeat(80_000)), 415)
      await kit.get('/balance')
    }
  }),
  rule('Malformed JSON answers 400', async (kit) => {
    for (const text of [
      '',
      ' ',
      '{',
      '{"urls":',
      "{'urls':'x'}",
      '{"urls":["x"],}',
      'undefined',
      '{"urls":"x"} x',
      '\u0000',
      '{"maxVideos":01}',
      '{"maxVideos":NaN}',
      '// {}',
    ]) {
      refused(await typed(kit, 'application/json', text), 400)
    }
  }),
  rule('A body that is not UTF-8 answers 400', async (kit) => {
    for (const bytes of [
      [0xff],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ]) {
      refused(
        await typed(
          kit,
          'application/json',
          Buffer.concat([Buffer.from('{"urls":["'), Buffer.from(bytes), Buffer.from('"]}')]),
        ),
        400,
      )
    }
    refused(await typed(kit, 'application/json', Buffer.from('\ufeff{"urls":"x"}', 'utf16le')), 400)
  }),
  rule('JSON that is not an object answers 400', async (kit) => {
    for (const text of ['null', '5', '"urls"', '[]', '[{"urls":"x"}]', 'true'])
      refused(await typed(kit, 'application/json', text), 400)
  }),
  rule('Very deep JSON answers 400, with an Idempotency-Key too', async (kit) => {
    const deep = `{"urls":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    refused(await typed(kit, 'application/json', deep), 400)
    refused(
      await kit.ask('POST', '/jobs', { body: deep, headers: { 'Idempotency-Key': 'deep' } }),
      400,
    )
    refused(
      await typed(
        kit,
        'application/json',
        `{"urls":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      ),
      400,
    )
  }),
]
