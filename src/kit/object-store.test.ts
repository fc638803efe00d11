/** Addresses of object stores: what they name, and what is refused with a sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readObjectStore } from './object-store.ts'

test('an address names bucket, folder, server and region, of which the last three may be missing', () => {
  assert.deepEqual(
    readObjectStore('s3://texts/of/ours?endpoint=http://127.0.0.1:9000&region=eu-1'),
    { url: 'http://127.0.0.1:9000/texts', prefix: 'of/ours/', region: 'eu-1' },
  )
  const aws = 'https://s3.us-east-1.amazonaws.com/texts'
  for (const address of ['s3://texts', 's3://texts/'])
    assert.deepEqual(readObjectStore(address), { url: aws, prefix: '', region: null })
  assert.equal(readObjectStore('s3://texts?region=eu-1').url, 'https://s3.eu-1.amazonaws.com/texts')
})

test('what is no address, holds a key, or has another parameter is refused', () => {
  const refused: [string, RegExp][] = [
    ['https://texts.example', /must be s3:\/\/BUCKET/],
    ['s3:///prefix', /must be s3/],
    ['s3://Texts', /must be s3/],
    ['s3://key:secret@texts/a', /must be s3/],
    ['s3://texts/a b', /must be s3/],
    ['s3://texts?endpoint=ftp://host', /must be s3/],
    ['s3://texts?endpoint=https://host/path', /must be s3/],
    ['s3://texts?endpoint=https://key:secret@host', /must be s3/],
    ['s3://texts?region=a/b', /must be s3/],
    ['s3://texts?secret=1', /without the parameter "secret"/],
  ]
  for (const [address, sentence] of refused)
    assert.throws(() => readObjectStore(address), sentence, address)
})
