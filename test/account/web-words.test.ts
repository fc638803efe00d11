/** The website's pure parts: money and times in words, matches of a searched word. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const WEB = path.resolve(import.meta.dirname, '../../web/src')
const { usd, usdInColumn, usdOfMicros, microsOf } = await import(path.join(WEB, 'format.ts'))
const { forPeople } = await import(path.join(WEB, 'api/problem.ts'))
const { daysOf, dayWords, orderAgain } = await import(path.join(WEB, 'order-fields.ts'))
const { matchesOf } = await import(path.join(WEB, 'matches.ts'))
const { lineWords } = await import(path.join(WEB, 'preview-words.ts'))

test('money is shown with cents at least and nothing lost', () => {
  const shown: [string, string][] = [
    ['0.000', '$0.00'],
    ['0.008', '$0.008'],
    ['4.000', '$4.00'],
    ['0.100', '$0.10'],
    ['1.2345', '$1.2345'],
    ['-0.500', '−$0.50'],
    ['12.340001', '$12.340001'],
    ['1000.000', '$1,000.00'],
    ['-1234567.5', '−$1,234,567.50'],
    ['7', '$7.00'],
  ]
  for (const [wire, text] of shown) assert.equal(usd(wire), text)
})

test('in a column points stand below each other, and nothing is lost', () => {
  const shown = ['4.000', '-3.992', '1203.999999', '0.160', '0.000'].map(usdInColumn)
  assert.deepEqual(shown, ['$4.000', '−$3.992', '$1,203.999999', '$0.160', '$0.000'])
})

test('micros and money strings are the same amount both ways', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -1_000_000_000_000_000n, max: 1_000_000_000_000_000n }),
      (micros) => {
        const sign = micros < 0n ? '-' : ''
        const size = micros < 0n ? -micros : micros
        const wire = `${sign}${size / 1_000_000n}.${(size % 1_000_000n).toString().padStart(6, '0')}`
        assert.equal(microsOf(wire), micros)
        assert.equal(usdOfMicros(micros), usd(wire))
      },
    ),
  )
})

test('refusals name no field that only programs know', () => {
  const said: [string, string][] = [
    [
      'url must be an absolute http or https URL',
      'The address must be an absolute http or https URL',
    ],
    ['monthlyCap must be a plain amount', 'The monthly limit must be a plain amount'],
    ['publishedAfter is no day', 'The first day is no day'],
    ['urls must not be empty', 'The list of addresses must not be empty'],
    ['toString is not a field', 'toString is not a field'],
    ['The platform has no such channel.', 'The platform has no such channel.'],
    ['', ''],
  ]
  for (const [message, words] of said) assert.equal(forPeople(message), words)
})

test('a job is ordered again with the limit that was asked for and the days that it had, told in words', () => {
  const input = { urls: ['@name'], language: 'original', formats: ['text'], maxVideos: 2 }
  const days = { publishedAfter: null, publishedBefore: '2024-12-31' }
  const { maxVideos: _lowered, ...asked } = input
  assert.deepEqual(orderAgain({ ...input, requestedMaxVideos: 9, ...days }), {
    ...asked,
    maxVideos: 9,
    publishedBefore: '2024-12-31',
  })
  assert.deepEqual(dayWords(days), ['until 2024-12-31'])
  assert.deepEqual(dayWords({ ...days, publishedAfter: '2024-01-01' }), [
    'from 2024-01-01',
    'until 2024-12-31',
  ])
  assert.deepEqual(daysOf({ publishedAfter: '', publishedBefore: '2024-12-31' }), {
    publishedBefore: '2024-12-31',
  })
})

test('a searched word is found whatever its case, and never inside another match', () => {
  assert.deepEqual(matchesOf('The theory of the Other', 'the'), [
    [0, 3],
    [4, 7],
    [14, 17],
    [19, 22],
  ])
  assert.deepEqual(matchesOf('aaaa', 'aa'), [
    [0, 2],
    [2, 4],
  ])
  assert.deepEqual(matchesOf('anything', ''), [])
  // The lower case of İ is two letters long: then only exact matches are found.
  assert.deepEqual(matchesOf('İstanbul the', 'the'), [[9, 12]])
})

test('a line that brings nothing says why, and of what the account has not that it has it', () => {
  const line = {
    kind: 'channel',
    error: null,
    isComplete: true,
    delivered: 0,
    owned: 0,
    knownNegative: 0,
  }
  const whole = { ...line, title: 'A', pictureUrl: 'a', videos: 30, wouldTake: 30 }
  const part = { ...line, title: 'A', pictureUrl: 'a', videos: 25, wouldTake: 0 }
  const video = { ...part, kind: 'video', title: null, pictureUrl: 'b', videos: 1 }
  const told = (sources: object[], limit = 500, publishedAfter: string | null = null): string[] => {
    const input = { maxVideos: limit, publishedAfter, publishedBefore: null }
    const preview = { state: 'ready', wouldTake: 30, input, sources }
    return sources.map((source) => lineWords(source, { preview, owned: 'skip' }))
  }
  assert.deepEqual(told([whole, part, video, { ...whole, wouldTake: 0 }]), [
    '30 videos; 30 to fetch',
    '25 videos; already in the lines before it',
    'Comes with a line before it',
    '30 videos; the same as line 1',
  ])
  assert.equal(told([whole, part], 30)[1], '25 videos; nothing: the lines before take the maximum')
  assert.equal(told([whole, part], 500, '2026-01-01')[1], '25 videos; nothing new')
  assert.equal(told([part])[0], '25 videos; nothing new')
  const had = { ...part, owned: 25 }
  assert.equal(told([whole, had])[1], '25 of 25 you already have, free; nothing new')
})
