/** Passwords that are taken, and those that are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyRefused } from './sign-in.ts'

const ADDRESS = 'anna.berg@example.org'

test('a sentence, or letters that nobody guesses first, is taken', () => {
  for (const password of [
    'a long enough sentence',
    'mV7q-2hTzL',
    'пять дней дождя',
    '祇園精舎の鐘の声諸行無常',
  ]) {
    assert.equal(whyRefused(password, ADDRESS), null, password)
  }
})

test('a password that guessers try first is refused with the reason', () => {
  const refused: [string, RegExp][] = [
    ['short', /at least 10 characters/],
    ['x'.repeat(129), /at most 128/],
    ['password123', /attackers try/],
    ['PassWord2026!', /attackers try/],
    ['1234567890', /attackers try/],
    ['qwertyuiop', /attackers try/],
    ['basketball', /attackers try/],
    ['Sunshine2024', /attackers try/],
    ['aaaaaaaaaaaa', /different characters/],
    ['121212121212', /different characters/],
    [ADDRESS, /not your email address/],
    ['Anna.Berg@Example.org', /not your email address/],
    ['anna.berg2026', /not your email address/],
  ]
  for (const [password, reason] of refused)
    assert.match(whyRefused(password, ADDRESS) ?? 'taken', reason, password)
})
