/** A library of tens of thousands: whoever opens a file of it keeps nobody else waiting. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { after, test } from 'node:test'
import { addLibrary, LARGE_CHANNEL } from '../../bench/library-rows.ts'
import { TRANSCRIPT_STORAGES } from '../../src/transcripts/transcript-forms.ts'
import { openFleet, worstStallMs } from '../machines/fleet.ts'

const TEXTS = 40_000
/** A turn of the event loop in processor time, so that a busy machine changes little. */
const TURN_MAX_MS = 50
/** Of bodies, all.txt as gzip and the ZIP wait until all members are made. */
const FILES: [string, OutgoingHttpHeaders][] = [
  ['all.txt', {}],
  ['report.csv', {}],
  ['export.md', {}],
  ['export.jsonl', {}],
  ['all.txt', { 'Accept-Encoding': 'gzip' }],
  ['zip?formats=text', {}],
]
/** The first one also compiles and collects what others left. */
const ROUNDS = 2

for (const storage of TRANSCRIPT_STORAGES) {
  const fleet = await openFleet({ after })
  const one = await fleet.start({ ROLES: 'api' }, { isProbed: true })
  const who = await fleet.customer(one)
  await addLibrary(fleet.database.pool, {
    texts: TEXTS,
    collections: 1,
    videosEach: 0,
    accountId: who.accountId,
    transcript: {
      languageCode: 'en',
      trackKind: 'asr',
      segments: [{ startMs: 0, endMs: 2_000, text: 'What is said in a short video.' }],
    },
    storage,
  })

  for (const [file, headers] of FILES) {
    const name = [file, ...Object.values(headers)].join(' as ')
    test(`${storage}: ${name} of ${TEXTS} texts begins in turns of less than ${TURN_MAX_MS} ms`, async () => {
      const stalls: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await fleet.database.pool.query('delete from packed_form') // what was made of bodies
        await worstStallMs(one)
        const body = await who.opens(`/library/${LARGE_CHANNEL}/files/${file}`, headers)
        await once(body, 'data')
        stalls.push(await worstStallMs(one))
        body.destroy()
      }
      assert.ok(Math.min(...stalls) < TURN_MAX_MS, `turns of ${stalls.join(' and ')} ms`)
    })
  }
}
