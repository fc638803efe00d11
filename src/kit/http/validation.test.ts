/** The sentences with which wrong requests are refused; each names its field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { pagingOf } from '../../api/contract.ts'
import { JobBody } from '../../api/jobs/schema.ts'
import { compileValidator } from './validation.ts'

type Validate = (value: unknown) => { value: unknown } | { error: Error }

const route = { method: 'POST', url: '/jobs' }
const readBody = compileValidator({
  ...route,
  schema: JobBody,
  httpPart: 'body',
}) as unknown as Validate
const readQuery = compileValidator({
  ...route,
  schema: Type.Object(pagingOf({ limit: 20, limitMax: 50 })),
  httpPart: 'querystring',
}) as unknown as Validate

function sentence(read: Validate, value: unknown): string {
  const reading = read(value)
  return 'error' in reading ? reading.error.message : `read as ${JSON.stringify(reading.value)}`
}

const BODIES: [body: unknown, sentence: string][] = [
  [null, 'The body must be of type object; got null.'],
  [[], 'The body must be of type object; got [].'],
  [{}, 'urls is required; add it.'],
  [{ urls: 5 }, 'urls must be of type array or string; got 5.'],
  [{ urls: null }, 'urls must be of type array or string; got null.'],
  [{ urls: '' }, 'urls must have at least 1 character; got "".'],
  [{ urls: [] }, 'urls must have at least 1 item; got [].'],
  [{ urls: ['a', 5] }, 'urls[1] must be of type string; got 5.'],
  [
    { urls: Array.from({ length: 51 }, () => 'a') },
    'urls must have at most 50 items; got 51 items.',
  ],
  [
    { urls: 'a', webhook: 1 },
    '"webhook" is not a field of this request; remove it. ' +
      'Its fields are urls, language, formats, maxVideos, publishedAfter, publishedBefore.',
  ],
  [{ urls: 'a', maxVideos: 0 }, 'maxVideos must be at least 1; got 0.'],
  [{ urls: 'a', maxVideos: 501 }, 'maxVideos must be at most 500; got 501.'],
  [{ urls: 'a', maxVideos: 1.5 }, 'maxVideos must be of type integer; got 1.5.'],
  [{ urls: 'a', maxVideos: '5' }, 'maxVideos must be of type integer; got "5".'],
  [{ urls: 'a', maxVideos: Infinity }, 'maxVideos must be of type integer; got Infinity.'],
  [{ urls: 'a', formats: [] }, 'formats must have at least 1 item; got [].'],
  [
    { urls: 'a', formats: ['text', 'pdf'] },
    'formats[1] must be one of text, srt, vtt, segments; got "pdf".',
  ],
  [{ urls: 'a', language: 'e' }, 'language must look like "en" or "pt-BR" or "original"; got "e".'],
  [
    { urls: 'a', language: 'x'.repeat(100) },
    `language must look like "en" or "pt-BR" or "original"; got "${'x'.repeat(56)}….`,
  ],
  [{ urls: 'a', publishedAfter: null }, 'publishedAfter must be of type string; got null.'],
  [{ urls: 'a', maxVideos: 5.0 }, 'read as {"urls":"a","maxVideos":5}'],
]

test('a wrong body is refused with a sentence that names the field and shows the value', () => {
  for (const [body, expected] of BODIES) assert.equal(sentence(readBody, body), expected)
})

const QUERIES: [query: unknown, sentence: string][] = [
  [{}, 'read as {}'],
  [{ offset: '7', limit: '50', other: 'x' }, 'read as {"offset":7,"limit":50}'],
  [{ limit: '0' }, 'limit must be a whole number in plain digits, 1 to 50; got 0.'],
  [{ limit: '51' }, 'limit must be a whole number in plain digits, 1 to 50; got 51.'],
  [{ limit: '' }, 'limit must be a whole number in plain digits, 1 to 50; got "".'],
  [{ limit: '1.0' }, 'limit must be a whole number in plain digits, 1 to 50; got "1.0".'],
  [{ limit: ['1', '1'] }, 'limit is repeated; send it once.'],
  [
    { offset: '-1' },
    'offset must be a whole number in plain digits, 0 to 9007199254740991; got "-1".',
  ],
  [
    { offset: '9007199254740992' },
    'offset must be a whole number in plain digits, 0 to 9007199254740991; got 9007199254740992.',
  ],
]

test('a wrong query is refused with a sentence that names the parameter; unknown ones are passed over', () => {
  for (const [query, expected] of QUERIES) assert.equal(sentence(readQuery, query), expected)
})
