/** Rules of the times of words, and of the facts that come with captions (decision 54). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'
import { fields } from '../shapes.ts'

const ROWS_MAX = 12

export const wordRules: Rule[] = [
  rule('The words of a segment joined are its text, at times within it', async (kit) => {
    const { id } = await kit.finished()
    const { videos } = await kit.get(`/jobs/${id}/results?status=success&limit=${ROWS_MAX}`)
    for (const { index, segments } of videos as Json[]) {
      const path = `/jobs/${id}/videos/${index}`
      const { hasWordTimes } = await kit.get(path)
      const answer = await kit.ask('GET', `${path}/words.json`)
      assert.equal(answer.status, hasWordTimes === true ? 200 : 404, path)
      if (hasWordTimes !== true) continue
      const words = answer.body['words'] as Json[]
      for (const { confidence, ...word } of words) {
        fields(word, {
          startMs: 'integer',
          endMs: 'integer',
          text: 'string',
        })
        assert.ok(word['startMs'] <= word['endMs'])
        assert.ok(confidence === null || (confidence >= 0 && confidence <= 1))
      }
      assert.equal(takenBy(segments, words), words.length, `${path}: every word is of a segment`)
      const vtt = await kit.ask('GET', `${path}/words.vtt`)
      assert.match(vtt.bytes.toString(), /^WEBVTT\n\n/)
    }
  }),
  rule('Every caption track of a video is listed, the delivered one among them', async (kit) => {
    const { id } = await kit.finished()
    const { videos } = await kit.get(`/jobs/${id}/results?status=success&limit=${ROWS_MAX}`)
    for (const { index, languageCode, trackKind } of videos as Json[]) {
      const { tracks } = await kit.get(`/jobs/${id}/videos/${index}`)
      for (const track of tracks as Json[])
        fields(track, {
          languageCode: 'string',
          kind: 'string',
          name: 'string?',
          isDefault: 'boolean',
          isTranslatable: 'boolean',
        })
      const isAmong = (track: Json): boolean =>
        track['languageCode'] === languageCode && track['kind'] === trackKind
      assert.ok((tracks as Json[]).some(isAmong), `${languageCode} ${trackKind}`)
    }
  }),
]

/** Returns how many of the words the segments take up, in order: each takes all that make its text, or none. */
function takenBy(segments: readonly Json[], words: readonly Json[]): number {
  let taken = 0
  for (const { startMs, endMs, text } of segments) {
    let said = ''
    for (let at = taken; said.length < text.length && at < words.length; at += 1) {
      const word = words[at]
      if (word === undefined || !text.startsWith(said + word['text'])) break
      said += word['text']
      if (said !== text) continue
      const own = words.slice(taken, at + 1)
      assert.ok(own.every((one) => one['startMs'] >= startMs && one['endMs'] <= endMs))
      taken = at + 1
    }
  }
  return taken
}
