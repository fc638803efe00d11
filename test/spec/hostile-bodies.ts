/** Bodies that no caller should send: generated from the fields of a job, almost right or hostile. */
import fc from 'fast-check'
import { nasty } from './nasty.ts'

const url = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.uuid().map((mark) => `https://www.youtube.com/watch?v=jNQXAC9IVRw&fuzz=${mark}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'jNQXAC9IVRw',
      '@jawed',
      'https://youtu.be/jNQXAC9IVRw',
      'https://www.youtube.com/playlist?list=PLbpi6ZahtOH6Blw3RGYpWkSByi_T7Rygb',
    ),
  },
  { weight: 2, arbitrary: nasty },
  { weight: 1, arbitrary: fc.webUrl() },
)
const anyValue = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(5e-324, 1e308, -0, 2 ** 53),
  fc.bigInt().map(Number),
)
const field = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 5, arbitrary: right as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: anyValue },
  )
const date = fc.oneof(
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
  fc.constantFrom('2020-01-01', '2026-02-30', '2024-02-29T23:59:60Z', '+275760-09-13'),
)

export const jobBody = fc
  .record(
    {
      urls: field(fc.oneof(url, fc.array(url, { minLength: 1, maxLength: 4 }))),
      language: field(fc.constantFrom('original', 'en', 'pt-BR', 'zh-Hant-TW')),
      formats: field(fc.subarray(['text', 'srt', 'vtt', 'segments'], { minLength: 1 })),
      maxVideos: field(fc.integer({ min: 1, max: 500 })),
      publishedAfter: field(date),
      publishedBefore: field(date),
    },
    { requiredKeys: ['urls'] },
  )
  .chain((value) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: anyValue.map((webhook) => ({ ...value, webhook })) },
    ),
  )

const nested = fc
  .integer({ min: 1, max: 20_000 })
  .map((depth) => `{"urls":${'['.repeat(depth)}${']'.repeat(depth)}}`)
const doubled = fc
  .tuple(fc.json({ maxDepth: 1 }), url)
  .map(
    ([one, two]) => `{"urls":${one},"maxVideos":1,"urls":${JSON.stringify(two)},"maxVideos":501}`,
  )
const huge = fc
  .constantFrom(65_535, 65_536, 65_537, 200_000)
  .map((size) => `{"urls":"${'x'.repeat(Math.max(0, size - 11))}"}`)
export const body = fc.oneof(
  { weight: 12, arbitrary: jobBody.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.oneof(nested, doubled, huge).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: jobBody.chain((value) => cut(JSON.stringify(value))) },
)

function cut(text: string): fc.Arbitrary<Buffer> {
  return fc.integer({ min: 0, max: text.length }).map((end) => Buffer.from(text.slice(0, end)))
}
