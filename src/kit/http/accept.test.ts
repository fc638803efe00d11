/** Answers that clients accept: a page or its Markdown, and which encodings, by the rules of RFC 9110. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEncoding, isTextType, TEXT_ENCODINGS, prefersMarkdown } from './accept.ts'

test('Markdown is given to those who name it, and like it no less than HTML', () => {
  for (const [accept, expected] of [
    ['text/markdown', true],
    ['text/markdown, text/html, */*', true],
    ['text/html;q=0.9, text/markdown', true],
    ['TEXT/MARKDOWN; q=0.5, */*;q=0.1', true],
    ['text/html, text/markdown;q=0.9', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['*/*', false],
    [undefined, false],
  ] as const)
    assert.equal(prefersMarkdown(accept), expected, accept)
})

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

test('the encoding of greatest weight is chosen, the first of equals, none where none is accepted', () => {
  for (const [header, chosen] of CASES)
    assert.equal(acceptedEncoding(header, TEXT_ENCODINGS), chosen, String(header))
})

const OF_FILES: [header: string | undefined, chosen: string | null][] = [
  ['GZIP;q=0.5, br', 'gzip'],
  ['br, deflate', null],
  ['*', 'gzip'],
  ['gzip;q=0, *', null],
  ['*;q=0', null],
  ['gzip; q=0.0', null],
  ['gzip;q=x', null],
  ['identity;q=1, gzip;q=0.5', null],
]

test('where there is one encoding it is chosen unless it is refused or the plain one preferred', () => {
  for (const [header, chosen] of OF_FILES)
    assert.equal(acceptedEncoding(header, ['gzip']), chosen, String(header))
})

test('a header repeated by the client is one list', () => {
  assert.equal(acceptedEncoding(['br;q=0', 'gzip'], ['br', 'gzip']), 'gzip')
})

const TYPES: [type: string, isText: boolean][] = [
  ['application/json; charset=utf-8', true],
  ['application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', true],
  ['application/vnd.citationstyles.csl+json', true],
  ['application/x-research-info-systems; charset=utf-8', true],
  ['application/jsonl; charset=utf-8', true],
  ['text/csv; charset=utf-8', true],
  ['text/x-python; charset=utf-8', true],
  ['image/svg+xml', false], // a file of the website, compressed when it is built
  ['application/zip', false],
  ['application/gzip', false],
  ['application/pdf', false],
  ['application/jsonp', false],
]

test('a media type is one of texts, with or without parameters', () => {
  for (const [type, isText] of TYPES) assert.equal(isTextType(type), isText, type)
})
