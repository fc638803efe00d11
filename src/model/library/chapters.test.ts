/** Chapters: which descriptions name some. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chapterAt, chaptersOf } from './video-details.ts'

const LISTS: [name: string, description: string, times: number[]][] = [
  ['three plain lines', '0:00 A\n0:30 B\n1:00 C', [0, 30, 60]],
  ['hours, padded minutes', '00:00 A\n01:30 B\n1:02:03 C', [0, 90, 3723]],
  [
    'text around, dashes, bullets and brackets',
    'Hello\n• 0:00 - A\n(0:40) B\n[1:20] – C\nBye',
    [0, 40, 80],
  ],
  ['a description of Windows', '0:00 A\r\n0:30 B\r\n1:00 C\r\n', [0, 30, 60]],
  ['two lines', '0:00 A\n0:30 B', []],
  ['not from the beginning', '0:10 A\n0:30 B\n1:00 C', []],
  ['times that do not ascend', '0:00 A\n1:00 B\n0:30 C', []],
  ['the same time twice', '0:00 A\n0:30 B\n0:30 C', []],
  ['a chapter under ten seconds', '0:00 A\n0:05 B\n1:00 C', []],
  ['a line without a title is no chapter', '0:00\n0:30 B\n1:00 C', []],
  ['a line with a title that nobody sees is no chapter', '0:00 \u2060\u3164\n0:30 B\n1:00 C', []],
  ['emoji before the times', '▶\ufe0f 0:00 A\n\u200e• 0:30 B\n1:00 C', [0, 30, 60]],
  ['a time inside a sentence', 'At 0:00 A\nat 0:30 B\nat 1:00 C', []],
  ['no clock has 75 seconds', '0:00 A\n0:75 B\n1:00 C', []],
  ['a score', '0:00 A\n3:1 B\n2:1 C', []],
]

test('chapters are what the platform takes for chapters', () => {
  for (const [name, description, times] of LISTS)
    assert.deepEqual(
      chaptersOf(description).map(({ startMs }) => startMs / 1000),
      times,
      name,
    )
  assert.deepEqual(chaptersOf(null), [])
})

test('a chapter has its words alone as title', () => {
  const titles = chaptersOf('0:00 - Intro: why?\n▶ 0:30 | The 1st part\n1:00: End').map(
    (c) => c.title,
  )
  assert.deepEqual(titles, ['Intro: why?', 'The 1st part', 'End'])
})

test('an instant belongs to the chapter that began last', () => {
  const chapters = chaptersOf('0:00 A\n0:30 B\n1:00 C')
  const at = (ms: number) => chapterAt(chapters, ms)?.title
  assert.deepEqual([at(0), at(29_999), at(30_000), at(9_000_000)], ['A', 'A', 'B', 'C'])
  assert.equal(chapterAt([], 5), null)
})
