/** Accept-Encoding as RFC 9110 reads it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEncoding } from './compression.ts'

const CASES: [header: string | undefined, chosen: string | null][] = [
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate, compress', null],
  ['gzip, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['*', 'zstd'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['zstd;q=0, *', 'br'],
  ['gzip;q=0', null],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=1.5', null],
  ['gzip;q=', null],
  ['br ; q=0.5 , gzip ; q=0.6', 'gzip'],
  ['identity', null],
  ['identity;q=0.5, gzip;q=0.4', null],
  ['identity, gzip', 'gzip'],
  ['identity;q=0', null],
  [',,;;', null],
]

test('the encoding of greatest weight is chosen, the quickest of equals, none where none is accepted', () => {
  for (const [header, chosen] of CASES) assert.equal(chooseEncoding(header), chosen, String(header))
})
