/** Lists held against their headers: whatever ends one, and whatever its header counts in, a difference is told. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { Settings } from '../../emulator/settings.ts'
import { endTold, MADE_UP_LIST, madeUpIds, madeUpList } from './made-up-list.ts'
import { listSource, nearPlatform, NEVER } from './near-platform.ts'

/** What ends a list, as what comes behind its last page; a token that leads back, or four pages that were shown. */
const ENDS = ['no token', 'not_found', 'alert', 'empty', 'circle', 'repeats'] as const
const HEADERS = [
  { count: '250 videos', least: 250 },
  { count: '250 lessons', least: 250 },
  { count: '350 video lessons', least: 350 },
  { count: '1.2K videos', least: 1150, isLong: true },
  { count: null, least: 250 },
]

test('whatever ends a list, what it shows is held against its header', async (t) => {
  for (const ends of ENDS)
    for (const { count, least, isLong = false } of HEADERS)
      for (const isFar of [false, true]) {
        if (isLong && ends === 'repeats') continue // its different videos are counted by hashes, a little low
        const listed = least - Math.max(3, Math.floor(least / 50)) - (isFar ? 1 : 0)
        const pages = Math.ceil(listed / 100)
        const near = await madeUpList(t, count, (number) => {
          if (number >= pages) {
            const next = number + 1
            if (ends === 'repeats') return { ids: madeUpIds(0, 100), next }
            return { ids: [], next: null, ...(ends === 'empty' ? {} : { denial: ends as 'alert' }) }
          }
          const ids = madeUpIds(number * 100, Math.min(100, listed - number * 100))
          const next =
            number + 1 < pages ? number + 1 : { 'no token': null, circle: 1 }[String(ends)]
          return { ids, next: next === undefined ? pages : next }
        })
        const { videos, end } = await near.list(MADE_UP_LIST)
        assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, listed)
        const isDenied = ends === 'not_found' || ends === 'alert'
        const rounded = count?.includes('K') === true ? { isAtLeast: true } : {}
        const repeats = ends === 'repeats' ? { kind: 'repeats', listed, pages: 4 } : null
        const cut = { kind: 'cut', listed, counted: count === null ? null : least, ...rounded }
        const isCut = count === null ? isDenied : isFar
        assert.deepEqual(endTold(end), isCut ? cut : repeats, `${listed} of ${count}, ${ends}`)
      }
})

test('a list with a few hidden videos is whole; any other difference from its header is a cut', async (t) => {
  const cases: [counted: number | null, sizes: number[], isCut: boolean][] = [
    [null, [100], false],
    [0, [], false],
    [103, [100], false],
    [110, [100], true],
    [260, [100, 100, 50], true],
    [220, [100, 99, 99], false],
    [306, [100, 100, 100], false],
    [330, [100, 100, 100], true],
    [90, [60], true],
    [5000, [...Array<number>(49).fill(100), 0], false],
    [5000, [...Array<number>(45).fill(100), 40], true],
    [350, [100], true],
    [350, [98], true],
    [130, [100], true],
    [400, [100, 40], true],
    [1000, [100, 100, 100], true],
  ]
  for (const [counted, sizes, isCut] of cases) {
    const near = await madeUpList(t, counted, (number) => ({
      ids: madeUpIds(number * 1000, sizes[number] ?? 0),
      next: number + 1 < sizes.length ? number + 1 : null,
    }))
    const { videos, end } = await near.list(MADE_UP_LIST)
    const listed = sizes.reduce((sum, size) => sum + size, 0)
    assert.equal(videos.length, listed)
    assert.deepEqual(
      endTold(end),
      isCut ? { kind: 'cut', listed, counted } : null,
      `${counted} ${sizes}`,
    )
  }
})

test('a rounded count cuts no list by its rounding, and is told as the least that it means', async (t) => {
  const cases: [count: string, listed: number, least: number | null][] = [
    ['1.2K videos', 1249, null],
    ['1.2K videos', 1150, null],
    ['2K videos', 1500, null],
    ['12K lessons', 11_500, null],
    ['1.2K videos', 100, 1150],
    ['1.2K views', 100, null],
    ['2 seasons', 1, null],
    ['350 episodes', 350, null],
    ['350 episodes', 100, 350],
  ]
  for (const [count, listed, least] of cases) {
    const near = await madeUpList(t, count, (number) => ({
      ids: number < 0 ? [] : madeUpIds(number * 100, Math.min(100, listed - number * 100)),
      next: number >= 0 && (number + 1) * 100 < listed ? number + 1 : null,
    }))
    const { videos, end } = await near.list(MADE_UP_LIST)
    assert.equal(videos.length, listed)
    const rounded = count.includes('K') ? { isAtLeast: true } : {}
    const cut = { kind: 'cut', listed, counted: least, ...rounded }
    assert.deepEqual(endTold(end), least === null ? null : cut, `${listed} of ${count}`)
  }
})

test('a header counts in any unit, to each client, and exactly only where it does not round', async (t) => {
  const about = async (knobs: Partial<Settings>, faults: FaultRule[] = []) => {
    const near = await nearPlatform(t, { knobs, faults })
    const counts = []
    for (const key of ['lostgrid', 'huge']) {
      const source = listSource(near.emulator.world.playlist(key).playlistId)
      const page = await near.platform.listPage({ source, cursor: null }, NEVER)
      assert.ok(page.kind === 'page')
      counts.push(page.about?.videoCount, page.end?.kind)
    }
    return counts
  }
  for (const faults of [[], [{ do: 'retired', client: 'WEB' } as const]]) {
    assert.deepEqual(await about({ countUnit: 'lessons' }, faults), [350, 'cut', 5000, undefined])
    assert.deepEqual(await about({ roundedCounts: true }, faults), [350, 'cut', null, undefined])
  }
})
