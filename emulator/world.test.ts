/** The world is a function of its seed, as big as it says, and has every special case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPECIALS } from './special-videos.ts'
import { truthOf, truthOfVideo } from './truth.ts'
import { createWorld } from './world.ts'

const world = createWorld()
const UNAVAILABLE =
  'upcoming-live upcoming-premiere deleted removed violating terminated age age-confirm ' +
  'age-check ' +
  'age-verification members members-join premium paid region members-first premiere-far'
const KINDS = ['video', 'short', 'live'] as const

test('the same seed makes the same world, another seed another one', () => {
  const page = (seed: number): unknown => truthOf(createWorld({ seed }), { offset: 70, limit: 5 })
  assert.deepEqual(page(1), page(1))
  assert.notDeepEqual(page(1), page(2))
})

test('the ids of the usual world never change: scripts and documents name them', () => {
  const named = ['asr', 'both', 'private', 'eleven-hours'].map((key) => world.special(key).videoId)
  assert.deepEqual(named, ['Nwtu84Q4vqw', 'm37a2ZpBYdY', 'w9uwpjIQra4', 'TKWVJ9FIq-8'])
  assert.equal(world.channel('large').channelId, 'UCTWk957SKcrXmmZWZI0iogw')
  assert.equal(world.playlist('mid').playlistId, 'PLao6eae0KEVC8Dr5U0apVIixGzOSuSUH1')
})

for (const channel of world.channels) {
  test(`the tabs of ${channel.handle} share its uploads out, newest first`, () => {
    const all = world.uploads(channel, null)
    const inOrder = Array.from({ length: all.length }, (_, at) => all.at(at))
    for (const kind of KINDS) {
      const list = world.uploads(channel, kind)
      const ids = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
      const wanted = inOrder.filter((video) => video.kind === kind)
      assert.deepEqual(
        ids,
        wanted.map((video) => video.videoId),
      )
    }
    const listed =
      channel.key === 'lab' ? SPECIALS.filter((each) => each.isListed).length : channel.uploads
    assert.equal(all.length, listed)
    assert.ok(
      inOrder.every((video, at) => at === 0 || video.upload > (inOrder[at - 1]?.upload ?? 0)),
    )
    assert.ok(inOrder.every((video) => world.video(video.videoId)?.title === video.title))
  })
}

test('uploads reach back ten years, and only premieres stand out of order', () => {
  const list = world.uploads(world.channel('large'), null)
  const dates = Array.from({ length: list.length }, (_, at) => list.at(at).publishedMs)
  const years = ((dates[0] ?? 0) - (dates.at(-1) ?? 0)) / (365.25 * 86_400_000)
  assert.ok(years > 9.9 && years < 10.1, `${years} years`)
  const late = dates.filter((date, at) => date > (dates[at - 1] ?? Infinity)).length
  assert.ok(late > 50 && late < 150, `${late} out of order`)
})

test('about one ordinary video in twelve has no captions', () => {
  const list = world.uploads(world.channel('medium'), null)
  const without = Array.from({ length: list.length }, (_, at) => list.at(at)).filter(
    (video) => video.tracks.length === 0,
  )
  assert.ok(
    Math.abs(without.length / list.length - 1 / 12) < 0.02,
    `${without.length} of ${list.length}`,
  )
})

test('big lists hold videos that do not play, small ones do not', () => {
  const states = (key: string): Set<string> => {
    const list = world.uploads(world.channel(key), null)
    return new Set(Array.from({ length: list.length }, (_, at) => list.at(at).state))
  }
  assert.deepEqual([...states('medium')].sort(), [
    'age_legacy',
    'members_level',
    'not_found',
    'ok',
    'private',
    'region',
  ])
  assert.deepEqual([...states('small')], ['ok'])
})

test('every special video has the status that its row of the facts asks for', () => {
  const statuses = new Map<string, string[]>()
  for (const { key } of SPECIALS) {
    const { status } = truthOfVideo(world, world.special(key))
    statuses.set(status, [...(statuses.get(status) ?? []), key])
  }
  assert.deepEqual(statuses.get('private'), ['private', 'private-first'])
  assert.deepEqual(statuses.get('failed'), ['odd-reason'])
  assert.deepEqual(statuses.get('language_not_available'), ['no-original', 'translation-first'])
  assert.deepEqual(statuses.get('no_captions'), [
    'live-now',
    'just-ended',
    'no-captions',
    'short-silent',
  ])
  assert.deepEqual(statuses.get('unavailable')?.join(' '), UNAVAILABLE)
  assert.deepEqual(statuses.get('blocked_suspect'), ['marks-only'])
  assert.equal(statuses.get('success')?.length, SPECIALS.length - 27)
})

test('every special video says in words what it is for, and no two say the same', () => {
  assert.equal(new Set(SPECIALS.map((special) => special.key)).size, SPECIALS.length)
  assert.equal(new Set(SPECIALS.map((special) => special.note)).size, SPECIALS.length)
})

test('playlists are as long as they say, and repeat where they say so', () => {
  const distinct = (key: string): number => {
    const list = world.playlist(key)
    return new Set(Array.from({ length: list.length }, (_, at) => list.at(at).videoId)).size
  }
  assert.equal(distinct('seven'), 7)
  assert.equal(distinct('mid'), 250)
  assert.equal(distinct('huge'), 5000)
  assert.equal(distinct('dups'), 20)
  assert.equal(world.playlist('dups').length, 60)
})

test('a new upload comes first and shifts the others', () => {
  const other = createWorld()
  const channel = other.channel('small')
  const before = other.uploads(channel, null).at(0).videoId
  const published = other.publish(channel)
  const list = other.uploads(channel, null)
  assert.equal(list.at(0).videoId, published.videoId)
  assert.equal(list.at(1).videoId, before)
  assert.equal(list.length, 25)
  assert.equal(other.video(published.videoId)?.title, published.title)
  assert.equal(createWorld().video(published.videoId), null)
  const later = other.publish(channel)
  const [first, second] = [0, 1].map((at) => other.uploads(channel, null).at(at))
  assert.deepEqual([first?.videoId, second?.videoId], [later.videoId, published.videoId])
  assert.ok((first?.publishedMs ?? 0) > (second?.publishedMs ?? 0))
})

test('pages of the truth join to the whole, and name what is next', () => {
  const channel = world.channel('noshorts').channelId
  const first = truthOf(world, { channel, limit: 40 })
  const second = truthOf(world, { channel, limit: 40, offset: 40 })
  assert.equal(first.total, 60)
  assert.equal(first.nextOffset, 40)
  assert.equal(second.nextOffset, null)
  assert.equal(new Set([...first.videos, ...second.videos].map((video) => video.videoId)).size, 60)
  const everything = truthOf(world, { limit: 1 })
  assert.equal(everything.channels.length, world.channels.length)
  assert.equal(everything.playlists.length, world.playlists.length)
  assert.equal(truthOf(world, { offset: 1, limit: 1 }).channels.length, 0)
})
