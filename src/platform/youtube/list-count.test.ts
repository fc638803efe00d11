/** Counts in headers of lists: in any unit of entries, and never what counts something else. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { type ListCount, readCount } from './list-count.ts'

const exactly = (videos: number): ListCount => ({ videos, isRounded: false })
const atLeast = (videos: number): ListCount => ({ videos, isRounded: true })

test('a count is read in any unit of entries; a rounded one as the least that it may mean', () => {
  const cases: [label: string, count: ListCount][] = [
    ['4,999 videos', exactly(4999)],
    ['4999 videos', exactly(4999)],
    ['1 video', exactly(1)],
    ['No videos', exactly(0)],
    ['12 lessons', exactly(12)],
    ['34 Episodes', exactly(34)],
    ['56 tracks', exactly(56)],
    ['7 songs', exactly(7)],
    ['1.2K videos', atLeast(1150)],
    ['12K episodes', atLeast(11_500)],
    ['3.4M videos', atLeast(3_350_000)],
    ['1.25K videos', atLeast(1245)],
    ['1.2k videos', atLeast(1150)],
    ['350+ videos', atLeast(350)],
    ['350\u00a0lessons', exactly(350)],
    ['no videos', exactly(0)],
    ['350 video lessons', exactly(350)],
    ['12 full length episodes', exactly(12)],
  ]
  for (const [label, count] of cases) assert.deepEqual(readCount([label]), count, label)
})

test('what counts no entries is no count', () => {
  const units =
    'views subscribers likes watching waiting members followers comments seasons plays ' +
    'seconds minutes hours days weeks months years'
  for (const unit of units.split(' '))
    for (const number of ['No', '1', '12', '1,234', '1.2K'])
      for (const each of [unit, unit.replace(/s$/, '')])
        assert.equal(readCount([`${number} ${each}`]), null, `${number} ${each}`)
  const others = [
    'Playlist',
    '1 March',
    '4 Sept',
    '12 Mar 2026',
    '3 days ago',
    '12:34',
    '1,23 videos',
    '1.2 videos',
    '12videos',
    'more than 12 videos',
    'Updated today',
    '3 hours of lessons',
    '12 new videos',
    '2 years of videos ago',
    '5 people and more',
  ]
  for (const label of others) assert.equal(readCount([label]), null, label)
})

test('of several counts the one in videos counts', () => {
  assert.deepEqual(readCount(['3 courses', '12 lessons', '1.2K views']), exactly(3))
  assert.deepEqual(readCount(['3 courses', '12 videos']), exactly(12))
})
