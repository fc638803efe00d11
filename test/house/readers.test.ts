/**
 * Work that grows with a stored text is done in a thread, or in a process of its own: nobody else makes segments of
 * what is stored, however short it looks where it is tried.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'

const SRC = path.resolve(import.meta.dirname, '../../src')
const READER = 'segmentsOfStored'

/** Files that make segments, each with why the event loop is safe there. */
const READERS = {
  'features/search/add-texts.ts': 'runs in the processes of the index',
  'features/search/index-process.ts': 'runs in the processes of the index',
  'features/transcripts/read-stored.ts': 'what is long is read in its thread',
  'features/transcripts/stored-text-thread.ts': 'is that thread, or is given what is short',
  'model/transcripts/transcript-body.ts': 'declares it',
}

test('who makes segments of a stored text is on the list', async () => {
  const files = await readdir(SRC, { recursive: true })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const found: string[] = []
  for (const file of sources)
    if (new RegExp(`\\b${READER}\\(`).test(await readFile(path.join(SRC, file), 'utf8')))
      found.push(file)
  assert.deepEqual(found.sort(), Object.keys(READERS))
})
