/** New videos of a list, concluded from what moved up into it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backlogOf, KNOWN_IDS_MAX, knownAfter, newVideos, wantsNextPage } from './new-videos.ts'

const list = (
  ids: string,
  more: { isComplete?: boolean; isNewestFirst?: boolean; old?: string } = {},
) => ({
  listed: [...ids].map((videoId) => ({ videoId, isOld: (more.old ?? '').includes(videoId) })),
  isComplete: more.isComplete ?? false,
  isNewestFirst: more.isNewestFirst ?? true,
})

test('only what stands above a known video of a cut list is new, the oldest first', () => {
  const table: [string, string, ReturnType<typeof list>, string][] = [
    ['two uploads', 'cba', list('edcb'), 'de'],
    ['an old one moves up', 'dcb', list('cba'), ''],
    ['both at once', 'dcb', list('ecba'), 'e'],
    ['all known ones are gone from a cut list', 'cb', list('fed'), ''],
    ['all known ones are gone from a whole list', 'cb', list('fed', { isComplete: true }), 'def'],
    ['between known ones: a premiere that is late', 'cba', list('cxba'), 'x'],
    ['public again, but older than the subscription', 'cba', list('dcyba', { old: 'y' }), 'd'],
    [
      'added anywhere in a whole playlist',
      'abc',
      list('axbcy', { isComplete: true, isNewestFirst: false }),
      'xy',
    ],
    [
      'a long playlist is seen at its beginning only',
      'abc',
      list('xabcy', { isNewestFirst: false }),
      'x',
    ],
    ['nothing', 'abc', list('abc'), ''],
  ]
  for (const [what, known, given, expected] of table)
    assert.equal(newVideos([...known], given).join(''), expected, what)
})

test('however a channel publishes and deletes between two looks, what was there before is never new', () => {
  const input = fc.record({
    before: fc.integer({ min: 1, max: 30 }),
    published: fc.nat(8),
    deleted: fc.array(fc.nat(37), { maxLength: 10 }),
    page: fc.integer({ min: 1, max: 12 }),
  })
  fc.assert(
    fc.property(input, ({ before, published, deleted, page }) => {
      const all = Array.from({ length: before + published }, (_, n) => `v${n}`).reverse()
      const first = all.slice(published)
      const cut = (ids: string[]) => ({
        listed: ids.slice(0, page).map((videoId) => ({ videoId, isOld: false })),
        isComplete: ids.length <= page,
        isNewestFirst: true,
      })
      const known = knownAfter([], cut(first))
      const now = all.filter((_, place) => !deleted.includes(place))
      const found = newVideos(known, cut(now))
      // Where none of the known videos is left in a whole list, only its dates could tell.
      const isSure = !cut(now).isComplete || now.slice(0, page).some((id) => known.includes(id))
      if (isSure) for (const id of found) assert.ok(!first.includes(id), id)
      if (isSure && cut(now).listed.some(({ videoId }) => known.includes(videoId)))
        for (const { videoId } of cut(now).listed)
          assert.ok(first.includes(videoId) || found.includes(videoId), 'and what is new is found')
      assert.deepEqual(
        found,
        found.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
        'in order of age',
      )
    }),
  )
})

test('one page is enough for a channel, unless more came than it holds; a playlist is read on', () => {
  const start = { known: ['a', 'b'], backlog: 0 }
  assert.equal(wantsNextPage(start, list('cba')), false)
  assert.equal(wantsNextPage(start, list('fed')), true)
  assert.equal(wantsNextPage({ known: [], backlog: 0 }, list('fed')), true, 'it had nothing')
  assert.equal(wantsNextPage({ known: null, backlog: 0 }, list('fed')), false)
  assert.equal(wantsNextPage({ known: null, backlog: 4 }, list('fed')), true)
  assert.equal(wantsNextPage(start, list('cba', { isNewestFirst: false })), true)
})

test('the backlog is the newest of a channel and the last of a playlist, the oldest first', () => {
  assert.equal(backlogOf(list('edcba'), 3).join(''), 'cde')
  assert.equal(backlogOf(list('edcba', { old: 'dcba' }), 3).join(''), 'e')
  assert.equal(backlogOf(list('abcde', { isNewestFirst: false }), 2).join(''), 'de')
  assert.deepEqual(backlogOf(list('abc'), 0), [])
})

test('what left the list is remembered for a while, and not for ever', () => {
  assert.deepEqual(knownAfter(['b', 'a'], list('cb')), ['c', 'b', 'a'])
  const many = Array.from({ length: KNOWN_IDS_MAX + 50 }, (_, n) => `${n}`)
  assert.equal(knownAfter(many, list('x')).length, KNOWN_IDS_MAX)
})
