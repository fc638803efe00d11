/**
 * Who reads at once what may be long: segments of a stored text, which grow with it, are made in a thread or a process,
 * however short the text looks where it is tried; texts of callers are read in steps.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'

const SRC = path.resolve(import.meta.dirname, '../../src')

/** Functions, and the files that call or declare them, each with why the event loop is safe there. */
const READERS: Record<string, Record<string, string>> = {
  segmentsOfStored: {
    'admin/doctor-peer.ts': 'runs in a command’s own process',
    'features/search/add-texts.ts': 'runs in the processes of the index',
    'features/search/index-process.ts': 'runs in the processes of the index',
    'features/transcripts/read-stored.ts': 'what is long is read in its thread',
    'features/transcripts/stored-text-thread.ts': 'is that thread, or is given what is short',
    'model/transcripts/transcript-body.ts': 'declares it',
  },
  readOrder: {
    'features/follow/subscriptions.ts': 'reads a line, whose length the schema bounds',
    'features/previews/previews.ts': 'reads an id',
    'model/jobs/read-order.ts': 'declares it',
  },
}

for (const [reader, expected] of Object.entries(READERS)) {
  test(`who calls ${reader} is on the list`, async () => {
    const files = await readdir(SRC, { recursive: true })
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const found: string[] = []
    for (const file of sources)
      if (new RegExp(`\\b${reader}\\(`).test(await readFile(path.join(SRC, file), 'utf8')))
        found.push(file)
    assert.deepEqual(found.sort(), Object.keys(expected))
  })
}
