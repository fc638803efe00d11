/** Lists in trouble: nothing that goes wrong on the way makes one shorter without saying so. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { idsOf, nearPlatform, truthIds } from './near-platform.ts'

test('an upload in the middle of a listing makes no gap', async (t) => {
  const near = await nearPlatform(t)
  const { world } = near.emulator
  const channel = world.channel('medium')
  const truth = truthIds(world, { channel: channel.channelId })
  near.emulator.apply({
    faults: [{ do: 'new_upload', on: 'browse', channel: channel.channelId, after: 2, times: 3 }],
  })
  const ids = await idsOf(near, channel.channelId)
  const seen = new Set(ids)
  assert.deepEqual(
    truth.filter((id) => !seen.has(id)),
    [],
  )
})

test('accidents of a list are tried again, and a repeated page neither loops nor loses the rest', async (t) => {
  const accidents = [
    'server_error',
    'unknown_alert',
    'missing_keys',
    'reset',
    'truncated',
    'empty',
  ] as const
  for (const accident of accidents) {
    const near = await nearPlatform(t)
    near.emulator.apply({
      faults: [{ do: accident, on: 'browse', every: 3, times: 2, bytes: 200 }],
    })
    const { playlistId } = near.emulator.world.playlist('mid')
    assert.deepEqual(
      await idsOf(near, playlistId),
      truthIds(near.emulator.world, { playlist: playlistId }),
      accident,
    )
  }
  const near = await nearPlatform(t)
  near.emulator.apply({ faults: [{ do: 'repeated_page', on: 'browse', after: 1, times: 1 }] })
  const { playlistId } = near.emulator.world.playlist('mid')
  const ids = new Set(await idsOf(near, playlistId))
  assert.deepEqual(
    truthIds(near.emulator.world, { playlist: playlistId }).filter((id) => !ids.has(id)),
    [],
  )
})

test('a list that shows one page for ever is left, and said to be incomplete', async (t) => {
  const near = await nearPlatform(t)
  near.emulator.apply({ faults: [{ do: 'repeated_page', on: 'browse', after: 1 }] })
  const { videos, pages, end } = await near.list(near.emulator.world.playlist('mid').playlistId)
  assert.ok(pages < 10, `${pages} pages`)
  assert.equal(videos.length, 100)
  assert.equal(end.kind, 'obstructed')
})

test('a token whose page holds nothing, time and again, is the end of the list, said to be short', async (t) => {
  const near = await nearPlatform(t)
  near.emulator.apply({ faults: [{ do: 'empty_page', on: 'browse', after: 1 }] })
  const { videos, end } = await near.list(near.emulator.world.playlist('mid').playlistId)
  assert.equal(videos.length, 100)
  assert.deepEqual(end.kind === 'page' && end.end, { kind: 'cut', listed: 100, counted: 250 })
})

test('a blocked listing is an obstacle, never a missing list or a short one', async (t) => {
  const blocks = ['too_many', 'sorry_page', 'sorry_redirect', 'forbidden', 'bot_check'] as const
  await Promise.all(
    blocks.map(async (block) => {
      const near = await nearPlatform(t, {}, { limits: { patienceMs: 300 } })
      near.emulator.apply({ faults: [{ do: block, on: 'browse', after: 1 }] })
      const { end, videos } = await near.list(near.emulator.world.playlist('mid').playlistId)
      assert.equal(end.kind, 'obstructed', block)
      assert.equal(videos.length, 100)
      if (end.kind === 'obstructed') assert.equal(end.obstacle.kind, 'blocked')
    }),
  )
})
