/** Compressing many bodies spares the calling thread: measured, on a quiet machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { talkTranscripts } from '../../bench/captions.ts'
import { FILE_FORMS } from '../../src/model/transcripts/formats.ts'
import { linesOf } from '../../src/model/transcripts/lines.ts'
import {
  packAnywhere,
  PACKED_BEFORE_THREADS_BYTES,
  PACKED_HERE_BYTES,
} from '../../src/features/transcripts/pack-pool.ts'
import type { BodyToPack } from '../../src/features/transcripts/pack-thread.ts'
import { packedMember } from '../../src/model/transcripts/packed-forms.ts'
import { packBody } from '../../src/model/transcripts/transcript-body.ts'
import { recordedForm } from '../../src/model/transcripts/transcript-forms.ts'

const BODIES = 40
const DEADLINE_MS = 20_000
/** Rounds that surely need no threads. */
const FIRST = 4

const members: Buffer[] = []
const bodies: BodyToPack[] = []
for (const { segments } of talkTranscripts(BODIES)) {
  const lines = linesOf(segments)
  const made = FILE_FORMS.map((form) => ({ form, ...packedMember(lines, form) }))
  members.push(...made.map(({ gzip }) => gzip))
  bodies.push({ body: await packBody(lines), wanted: made.map(recordedForm) })
}
const expected = Buffer.concat(members)

/** What the calling thread used for it, in microseconds of CPU. */
async function packs(): Promise<number> {
  const before = process.threadCpuUsage()
  assert.ok((await packAnywhere(bodies)).equals(expected))
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

test('once threads run, the calling thread is used for a quarter at most', async () => {
  const bytes = bodies.reduce((sum, { body }) => sum + body.length, 0)
  assert.ok(bytes > PACKED_HERE_BYTES && bytes * FIRST < PACKED_BEFORE_THREADS_BYTES)
  let here = Infinity
  for (let round = 0; round < FIRST; round += 1) here = Math.min(here, await packs())
  const started = performance.now()
  let there = here
  while (there > here / 4) {
    assert.ok(performance.now() - started < DEADLINE_MS, `${there} of ${here} µs were used here`)
    there = await packs()
  }
})
