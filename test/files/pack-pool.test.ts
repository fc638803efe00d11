/** Compressing many bodies: the same bytes wherever it happens, on threads once they run, and a refusal that is told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tinypool } from 'tinypool'
import { talkTranscripts } from '../../bench/captions.ts'
import { FILE_FORMS } from '../../src/model/transcripts/formats.ts'
import { linesOf } from '../../src/model/transcripts/lines.ts'
import type { BodyToPack } from '../../src/features/transcripts/pack-thread.ts'
import { packedMember } from '../../src/model/transcripts/packed-forms.ts'
import { packBody } from '../../src/model/transcripts/transcript-body.ts'
import { recordedForm } from '../../src/model/transcripts/transcript-forms.ts'
import { until } from '../support/until.ts'
import {
  PACKED_BEFORE_THREADS_BYTES,
  PACKED_HERE_BYTES,
} from '../../src/features/transcripts/pack-pool.ts'

const BODIES = 40
/** Rounds that surely need no threads. */
const FIRST = 4

// A module of its own: tests that share this process may have started the threads of the other one.
const POOL = new URL('../../src/features/transcripts/pack-pool.ts?alone', import.meta.url).href
const { packAnywhere } = (await import(
  POOL
)) as typeof import('../../src/features/transcripts/pack-pool.ts')

const members: Buffer[] = []
const bodies: BodyToPack[] = []
for (const { segments } of talkTranscripts(BODIES)) {
  const lines = linesOf(segments)
  const made = FILE_FORMS.map((form) => ({ form, ...packedMember(lines, form) }))
  members.push(...made.map(({ gzip }) => gzip))
  bodies.push({ body: await packBody(lines), wanted: made.map(recordedForm) })
}
const expected = Buffer.concat(members)

async function packs(): Promise<void> {
  assert.ok((await packAnywhere(bodies)).equals(expected))
}

test('the first are made here, until threads run, and the next ones there, with the same bytes', async (t) => {
  const bytes = bodies.reduce((sum, { body }) => sum + body.length, 0)
  assert.ok(bytes > PACKED_HERE_BYTES && bytes * FIRST < PACKED_BEFORE_THREADS_BYTES)
  // Threads are started by being handed nothing.
  let handedOver = 0
  const { run } = Tinypool.prototype
  t.mock.method(
    Tinypool.prototype,
    'run',
    function (this: Tinypool, ...given: Parameters<typeof run>) {
      handedOver += (given[0] as BodyToPack[]).length
      return run.apply(this, given)
    },
  )
  for (let round = 0; round < FIRST; round += 1) await packs()
  assert.equal(handedOver, 0)
  await until('threads run', async () => {
    await packs()
    return handedOver > 0
  })
  assert.equal(handedOver, BODIES, 'all of them')
  assert.equal((await packAnywhere([])).length, 0)
})

test('a body that is not what was recorded fails those that it was asked with', async () => {
  const [first] = bodies
  assert.ok(first !== undefined)
  const wrong = { ...first, wanted: first.wanted.map((facts) => ({ ...facts, crc32: 1 })) }
  await assert.rejects(packAnywhere([...bodies, wrong]), /what was recorded/)
  await assert.rejects(packAnywhere([wrong]), /what was recorded/)
  await packs()
})
