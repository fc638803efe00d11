/** Headers of downloads, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition, etagOf, matchesEtag, readRange } from './content.ts'

const ETAG = etagOf('abc', 'identity')

test('each encoding of a content has its own strong tag', () => {
  assert.equal(ETAG, '"abc"')
  assert.equal(etagOf('abc', 'gzip'), '"abc-gzip"')
})

const MATCHES: [header: string | undefined, isMatch: boolean][] = [
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc" ,"y"', true],
  ['*', true],
  ['"abc-gzip"', false],
  ['"x,"abc""', false],
  ['abc', false],
  ['', false],
]

for (const [header, isMatch] of MATCHES) {
  test(`If-None-Match ${header} ${isMatch ? 'matches' : 'does not match'} ${ETAG}`, () => {
    assert.equal(matchesEtag(header, ETAG), isMatch)
  })
}

const RANGES: [range: string | undefined, ifRange: string | undefined, reading: string][] = [
  [undefined, undefined, 'whole'],
  ['bytes=0-0', undefined, '0-0'],
  ['bytes=2-5', undefined, '2-5'],
  ['bytes=2-', undefined, '2-9'],
  ['bytes=2-99', undefined, '2-9'],
  ['bytes=-3', undefined, '7-9'],
  ['bytes=-99', undefined, '0-9'],
  ['Bytes= 2-5', undefined, '2-5'],
  ['bytes=10-', undefined, 'unsatisfiable'],
  ['bytes=10-12', undefined, 'unsatisfiable'],
  ['bytes=-0', undefined, 'unsatisfiable'],
  ['bytes=5-2', undefined, 'whole'],
  ['bytes=-', undefined, 'whole'],
  ['bytes=0-1,4-5', undefined, 'whole'],
  ['bytes=a-b', undefined, 'whole'],
  ['bytes=0-9999999999999999', undefined, 'whole'],
  ['lines=1-2', undefined, 'whole'],
  ['bytes=2-5', '"abc"', '2-5'],
  ['bytes=2-5', '"old"', 'whole'],
  ['bytes=2-5', 'W/"abc"', 'whole'],
  ['bytes=2-5', 'Fri, 20 Nov 2026 10:00:00 GMT', 'whole'],
  ['bytes=10-', '"old"', 'whole'],
]

for (const [range, ifRange, reading] of RANGES) {
  test(`Range ${range}${ifRange ? ` if ${ifRange}` : ''} of ten bytes is ${reading}`, () => {
    const read = readRange({ range, ifRange }, { sizeBytes: 10, etag: ETAG })
    const shown =
      read.kind === 'part' ? `${read.range.firstByte}-${read.range.lastByte}` : read.kind
    assert.equal(shown, reading)
  })
}

test('no range of an empty file exists', () => {
  for (const range of ['bytes=0-', 'bytes=-1']) {
    const read = readRange({ range, ifRange: undefined }, { sizeBytes: 0, etag: ETAG })
    assert.equal(read.kind, 'unsatisfiable')
  }
})

test('a download has a name for old clients and its full one', () => {
  assert.equal(
    contentDisposition('7 Übung "100%" (it’s).txt'),
    `attachment; filename="7 _bung _100__ (it_s).txt"; filename*=UTF-8''7%20%C3%9Cbung%20%22100%25%22%20%28it%E2%80%99s%29.txt`,
  )
})

test('no name can add a header or leave its quotes', () => {
  const header = contentDisposition('a"\r\nSet-Cookie: x=1\\\ud800.txt')
  assert.match(header, /^attachment; filename="[^"\\\r\n]+"; filename\*=UTF-8''[\w.%~!-]+$/)
})
