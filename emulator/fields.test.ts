/** Masks in `$fields` keep what they name, at any depth, in all three spellings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { masked } from './fields.ts'

const reply = {
  a: {
    b: 1,
    c: [
      { d: 2, e: 3 },
      { d: 4, e: 5 },
    ],
  },
  f: 'six',
  g: null,
}

for (const [fields, kept] of [
  ['f', { f: 'six' }],
  ['a.b', { a: { b: 1 } }],
  ['a/b,f', { a: { b: 1 }, f: 'six' }],
  ['a.c.d', { a: { c: [{ d: 2 }, { d: 4 }] } }],
  ['a(b,c.e),g', { a: { b: 1, c: [{ e: 3 }, { e: 5 }] }, g: null }],
  ['a.b,a.c.d', { a: { b: 1, c: [{ d: 2 }, { d: 4 }] } }],
  ['nothing,a.x', { a: {} }],
] as const) {
  test(`$fields=${fields}`, () => assert.deepEqual(masked(reply, fields), kept))
}
