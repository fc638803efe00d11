/** Search indexes for tests: files in a folder that ends with the test, and rows that are added to them. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { addTexts } from '../../src/features/search/add-texts.ts'
import { askIndex } from '../../src/features/search/ask-mentions.ts'
import { type IndexFile, openIndexFile } from '../../src/features/search/index-file.ts'
import type { IndexQuestion } from '../../src/features/search/messages.ts'
import { readQuery, type SearchQuery } from '../../src/model/search/search-query.ts'
import type { IndexedRow } from '../../src/model/search/packed-row.ts'
import { packBody } from '../../src/model/transcripts/transcript-body.ts'
import type { TestScope } from '../support/database.ts'
import { TEST_DEADLINES } from '../support/settings.ts'

/** Returns a path in a new folder. */
export function indexPath(scope: TestScope): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'index-'))
  scope.after(async () => fs.rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'library/account.db')
}

export function openTestIndex(file: string): IndexFile {
  return openIndexFile(file, TEST_DEADLINES.searchFileMs)
}

export function testIndex(scope: TestScope): IndexFile {
  const index = openTestIndex(indexPath(scope))
  scope.after(async () => index.close())
  return index
}

/** Replaces the file by one whose every answer would take SQLite for ever. */
export function endlessIndex(file: string): void {
  const ahead = `${file}.new`
  const index = openTestIndex(ahead)
  index.db.exec(`
    drop table standing;
    create view standing as with recursive step (at) as (
      select 1 union all select at + 1 from step
    ) select 0 as indexed, '' as fingerprint, '' as made from step where at < 0`)
  index.close()
  for (const ending of ['-wal', '-shm']) fs.rmSync(file + ending, { force: true })
  fs.renameSync(ahead, file)
}

/** Returns a delivered row with these lines, one every two seconds. */
export function textRow(
  index: number,
  lines: readonly string[],
  facts: Partial<IndexedRow> = {},
): IndexedRow {
  const segments = lines.map((text, at) => ({
    startMs: at * 2_000,
    endMs: at * 2_000 + 1_900,
    text,
  }))
  return {
    index,
    done: index,
    videoId: `video-${index}`,
    channelName: 'A channel',
    channelId: null,
    publishedAt: '2026-03-04T05:06:07Z',
    languageCode: 'en',
    textHash: null,
    stored: packBody(segments),
    ...facts,
  }
}

/** Adds rows as the first ones of a job. */
export function addJob(index: IndexFile, jobId: string, rows: IndexedRow[]): void {
  const to = rows.length
  if (!addTexts(index, { jobId, from: 0, to, success: to, rows })) throw new Error('not added')
}

/** Returns every hit of a query. */
export function askAll(index: IndexFile, q: string, filter: Partial<IndexQuestion['filter']> = {}) {
  const query = readQuery(q)
  if ('fault' in query) throw new Error(`${q}: ${query.fault}`)
  return askIndex(index, question(query, filter))
}

function question(query: SearchQuery, filter: Partial<IndexQuestion['filter']>): IndexQuestion {
  return {
    query,
    filter: {
      channel: null,
      videoId: null,
      language: null,
      dates: null,
      ...filter,
    },
    sort: 'newest',
    offset: 0,
    limit: 10_000,
  }
}
