/** How a service stores transcripts that is told nothing: once, unless somebody who cannot read that may be there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findStorage } from '../../src/features/transcripts/find-storage.ts'
import { startFileService } from '../files/file-service.ts'

const VIDEO = { title: 'One', segments: [{ startMs: 0, endMs: 900, text: 'a word' }] }
const service = await startFileService({ after }, { TRANSCRIPT_STORAGE: 'members' })
const { db } = service.ctx

test('bodies are stored from the beginning, members where there are some, and what is set either way', async () => {
  assert.equal(await findStorage(db, 'auto'), 'body', 'nothing is stored yet')
  const customer = await service.customer()
  await customer.recordsJob([VIDEO], { formats: ['text'], isFinal: true })
  assert.equal(await findStorage(db, 'auto'), 'members', 'as an earlier release stored them')
  assert.equal(await findStorage(db, 'body'), 'body')
  await service.ctx.pool.query('truncate transcript cascade')
  assert.equal(await findStorage(db, 'members'), 'members')
  assert.equal(await findStorage(db, 'auto'), 'body', 'nothing is left of them')
})
