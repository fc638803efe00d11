/** Labels of replies: what the platform calls things, where anybody can see it. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { labelAt, textAt } from './json.ts'
import { readPlayer } from './player.ts'

test('a title, a name or a description in which nothing is seen is a missing one', () => {
  const unseen = '\u200e\u2060 \u3164'
  const videoDetails = {
    title: unseen,
    author: { simpleText: unseen },
    lengthSeconds: '9',
    shortDescription: unseen,
    keywords: [unseen, 'zoo \u200d'],
  }
  const { facts } = readPlayer({ playabilityStatus: { status: 'OK' }, videoDetails }, 'dQw4w9WgXcQ')
  assert.deepEqual([facts.title, facts.channelName, facts.details.description], [null, null, null])
  assert.deepEqual(facts.details.keywords, ['zoo \u200d'])
})

test('a label in pieces keeps those that part its words; a text for programs is as it is', () => {
  const runs = [{ text: '\u200e' }, { text: ' ' }, { text: 'A day' }]
  assert.equal(labelAt({ title: { runs } }, 'title'), '\u200e A day')
  assert.equal(labelAt({ runs: runs.slice(0, 2) }), null)
  assert.equal(textAt({ token: '\u200e' }, 'token'), '\u200e')
})
