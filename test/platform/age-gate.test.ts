/** The age gate: passed as an embedded player with what its own page says; a gate that stays closed costs little. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import { readPlayer } from '../../src/platform/youtube/player.ts'
import { type Near, nearPlatform, truthIds } from './near-platform.ts'

const calls = ({ requests }: Near): string[] =>
  requests
    .filter(({ call }) => call !== 'visitor_id')
    .map(({ call, client, outcome }) => `${call} ${client} ${outcome}`)

const asks = async (near: Near, key: string): Promise<string> => {
  const answer = await near.fetch(near.emulator.world.special(key).videoId)
  return answer.kind === 'refused' ? answer.refusal.reason : answer.kind
}

test('an embeddable video passes with the flags of its page, as the visitor of that page', async (t) => {
  const near = await nearPlatform(t)
  assert.equal(await asks(near, 'age-embeddable'), 'fetched')
  assert.deepEqual(calls(near), [
    'player VISIONOS ok',
    'embed WEB_EMBEDDED_PLAYER ok',
    'player WEB_EMBEDDED_PLAYER ok',
    'timedtext WEB_EMBEDDED_PLAYER ok',
  ])
  const embedded = near.emulator.log.recent(10).filter(({ client }) => /EMBEDDED/.test(client))
  const minted = near.requests.filter(({ call }) => call === 'visitor_id')
  assert.deepEqual(
    minted.map(({ client }) => client),
    ['VISIONOS'],
  )
  assert.notEqual(embedded[0]?.visitor, '')
})

test('a page that asks as the platform’s own site has no flags, which is told as what it is', async (t) => {
  const clients = CLIENT_PROFILES.map((each) =>
    each.use === 'age_gate' ? { ...each, referer: 'https://www.youtube.com/' } : each,
  )
  const near = await nearPlatform(t, {}, { clients })
  assert.equal(await asks(near, 'age-embeddable'), 'age_restricted')
  assert.ok(calls(near).includes('embed WEB_EMBEDDED_PLAYER embed_refused'))
})

test('a gate whose page or player is refused leaves the cause that two apps name', async (t) => {
  const refusals: FaultRule[] = [
    ...(['forbidden', 'too_many', 'sorry_page', 'consent', 'empty', 'html'] as const).map(
      (action): FaultRule => ({ do: action, on: 'page' }),
    ),
    ...(['forbidden', 'bad_request', 'page_reload', 'unavailable', 'captcha'] as const).map(
      (action): FaultRule => ({ do: action, on: 'player', client: 'WEB_EMBEDDED_PLAYER' }),
    ),
  ]
  for (const rule of refusals) {
    const near = await nearPlatform(t, {}, { limits: { retryPauseMs: 1 } })
    near.emulator.apply({ faults: [rule] })
    const label = `${rule.do} of ${String(rule.on)}`
    assert.equal(await asks(near, 'age-embeddable'), 'age_restricted', label)
    assert.equal(await asks(near, 'both'), 'fetched', `the route goes on: ${label}`)
    const players = near.requests.filter(({ call }) => call === 'player')
    assert.ok(players.length <= 5, `${label}: ${players.length} players`)
  }
})

test('what an embedded player is refused by is told as what it is', () => {
  const texts: [string, string][] = [
    ['Error code: 152 - 18', 'embed_refused'],
    ['Watch on YouTube. Error 153', 'embed_refused'],
    ['Playback on other websites has been disabled by the video owner', 'not_embeddable'],
  ]
  for (const [text, name] of texts) {
    const reason = 'This video is unavailable'
    const errorScreen = { playerErrorMessageRenderer: { subreason: { runs: [{ text }] } } }
    const reply = { playabilityStatus: { status: 'ERROR', reason, errorScreen } }
    const answer = readPlayer(reply, 'dQw4w9WgXcQ')
    assert.equal(answer.kind === 'obstructed' && answer.obstacle.name, name, text)
  }
})

test('an app that names an age gate which is passed has said nothing wrong', async (t) => {
  const watch = openDriftWatch()
  const near = await nearPlatform(t, {}, { watch })
  const client = ['VISIONOS', 'ANDROID', 'IOS']
  near.emulator.apply({ faults: [{ do: 'cause', cause: 'age_confirm', on: 'player', client }] })
  const { world } = near.emulator
  const videoIds = ['small', 'medium', 'spanish'].flatMap((key) =>
    truthIds(world, { channel: world.channel(key).channelId })
      .filter((videoId) => {
        const video = world.video(videoId)
        return video?.state === 'ok' && video.tracks.length > 0
      })
      .slice(0, 10),
  )
  for (const videoId of videoIds) assert.equal((await near.fetch(videoId)).kind, 'fetched')
  assert.deepEqual(watch.drifts(), [])
})
