/** Words of the platform reach people quoted as its own: in rows, sources, previews and findings of the doctor. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { SPECIALS } from '../../emulator/special-videos.ts'
import { CAUSES, refusalFor } from '../../emulator/wire/verdicts.ts'
import { REFUSAL_REASONS } from '../../src/model/platform/refusal.ts'
import { refusedPart } from '../../src/platform/youtube/doctor-report.ts'
import { describeObstacle, obstacle } from '../../src/platform/youtube/obstacle.ts'
import { NO_NAMES } from '../../src/platform/youtube/player.ts'
import { type ClientAnswer, verdictOf } from '../../src/platform/youtube/verdict.ts'
import { obstructedRow, rowOfAnswer, sourceRow } from '../../src/worker/row-content.ts'
import { nearPlatform } from './near-platform.ts'

const START = { videoId: 'abcdefghijk', title: null, channelName: null, publishedAt: null }
const FACTS = { ...NO_NAMES, publishedAt: null }
const WISH = { language: 'original', wishedTrack: null }
const QUOTED = /YouTube says: “[^“”]+”\.?/g
const WORDS = [
  'It was removed for violating our Terms of Service',
  'We say “no”. Contact us at https://evil.example/',
  `Please pay us. ${'And again, we beg you. '.repeat(100)}`,
]

/** Fails where the words stand in a text outside of the quotation, or are not told at all. */
function isQuoted(text: string | null, words: string, where: string): void {
  const rest = (text ?? '').replace(QUOTED, '')
  assert.notEqual(rest, text, `${where} tells: ${text}`)
  const first = words.split(' ').slice(0, 2).join(' ')
  assert.ok((text ?? '').includes(first), `${where}: ${text}`)
  assert.ok(!rest.includes(first) && !/\bour Terms\b|evil/.test(rest), `${where} says: ${rest}`)
  assert.match(text ?? '', /[.”]$/, where)
  assert.doesNotMatch(text ?? '', /\.\.|\. \.|”\.\.|null|undefined/, where)
}

test('whatever reason a video is refused for, its row quotes what was said', () => {
  for (const reason of REFUSAL_REASONS)
    for (const text of WORDS)
      for (const clients of [['A', 'B'], ['A']]) {
        const answer = { kind: 'cause', facts: FACTS, cause: reason, text }
        const said = clients.map((client) => ({ client, answer }) as ClientAnswer)
        const verdict = verdictOf(said, 'shown')
        assert.ok(verdict.kind === 'refused')
        const { content } = rowOfAnswer(START, { ...verdict, facts: FACTS }, WISH)
        isQuoted(content.errorMessage, text, `${reason} by ${clients.length}`)
      }
})

test('whatever stands in the way, rows, sources and the doctor quote what was said', () => {
  const names = ['bot_check', 'sign_in', 'session_limit', 'retired', 'unknown', 'unseen'] as const
  for (const name of [...names, 'bad_request', 'not_found', 'reload'] as const)
    for (const said of WORDS) {
      const found = obstacle(name, { said, retryAfterMs: 5_000 })
      const met = { kind: 'obstructed', obstacle: describeObstacle(found) } as const
      const row = rowOfAnswer(START, { ...met, facts: FACTS }, WISH).content
      isQuoted(row.errorMessage, said, `row: ${name}`)
      isQuoted(obstructedRow(START, met.obstacle).errorMessage, said, `date: ${name}`)
      isQuoted(sourceRow('line', met).errorMessage, said, `source: ${name}`)
      isQuoted(refusedPart(found).text, said, `doctor: ${name}`)
    }
})

test('what we met ourselves is not put into the platform’s mouth', () => {
  for (const fact of ['HTTP 400', 'the list leads in a circle', 'abcdefghijk']) {
    const { text } = describeObstacle(obstacle('unknown', { fact }))
    assert.equal(text, `The platform gave an answer that we do not know (${fact}).`)
  }
})

test('every cause and every alert of the emulator comes quoted', async (t) => {
  const { emulator, fetch, list } = await nearPlatform(t)
  const { world } = emulator
  const call = { nowMs: 0 } as never
  const heard = CAUSES.map((cause) => JSON.stringify(refusalFor(cause, call)))
  assert.ok(heard.some((reply) => reply.includes('Terms of Service')))
  let quoted = 0
  for (const { key } of SPECIALS) {
    const answer = await fetch(world.special(key).videoId)
    if (answer.kind !== 'refused') continue
    const { errorMessage } = rowOfAnswer(START, answer, WISH).content
    const rest = (errorMessage ?? '').replace(QUOTED, '')
    if (rest !== errorMessage) quoted += 1
    assert.doesNotMatch(
      rest,
      /Terms of Service|YouTube|Sign in|Join this channel|unavailable/i,
      key,
    )
  }
  assert.ok(quoted >= 10, `${quoted} were quoted`)
  for (const line of [
    world.channel('terminated').channelId,
    world.channel('removed').channelId,
    world.playlist('missing').playlistId,
    world.playlist('unviewable').playlistId,
  ]) {
    const { end } = await list(line)
    assert.ok(end.kind === 'missing', line)
    assert.equal(sourceRow(line, end).errorMessage?.replace(QUOTED, ''), '', line)
  }
})
