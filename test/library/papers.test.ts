/**
 * Exports for notebooks, vaults and papers, whatever a video is called: each is read as other programs read it, by
 * parsers that are not ours.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plugins } from '@citation-js/core'
import '@citation-js/plugin-ris'
import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import type { Json } from '../../tools/conformance/http.ts'
import { openVault } from '../../src/features/files/export-packs.ts'
import type { TextSource } from '../../src/features/transcripts/read-stored.ts'
import { LIMITS } from '../../src/config/config.ts'
import { hasVisible } from '../../src/kit/text/invisible.ts'
import { cslEntry, risEntry } from '../../src/model/files/citations.ts'
import { FOUR_CAT_HEAD, fourCatLine } from '../../src/model/files/four-cat.ts'
import { noteOf } from '../../src/model/files/notes.ts'
import { noteStem } from '../../src/model/files/file-names.ts'
import { oneLine, oneLineSegments } from '../../src/model/transcripts/one-line.ts'
import { isFormula } from '../support/formula-beginnings.ts'
import { awkward, saying, VIDEO } from './awkward-texts.ts'

const fetchedAt = new Date('2026-11-27T10:00:00Z')
type Entry = { author?: Json[]; issued?: Json; accessed?: Json; URL?: string } & Record<
  string,
  unknown
>

function readRis(text: string): Entry[] {
  return plugins.input.chain(text, { generateGraph: false }) as Entry[]
}

test('a video is the same entry in RIS and in CSL-JSON', () => {
  const entry = {
    id: 'jNQXAC9IVRw',
    type: 'motion_picture',
    title: 'Me at the zoo',
    author: [{ literal: 'jawed' }],
    issued: { 'date-parts': [[2005, 4, 23]] },
    publisher: 'YouTube',
    language: 'en',
    URL: VIDEO.url,
    accessed: { 'date-parts': [[2026, 11, 27]] },
  }
  assert.deepEqual(JSON.parse(cslEntry({ ...VIDEO, fetchedAt })), entry)
  const ris = risEntry({ ...VIDEO, fetchedAt })
  assert.deepEqual(readRis(ris), [{ ...entry, author: [{ family: 'jawed' }] }])
  const bare = { ...VIDEO, channelName: null, publishedAt: null, url: 'no url', languageCode: null }
  assert.deepEqual(JSON.parse(cslEntry({ ...bare, fetchedAt: null })), {
    id: entry.id,
    type: entry.type,
    title: entry.title,
    publisher: entry.publisher,
  })
})

test('entries stay apart and keep their titles, whatever those are', () => {
  fc.assert(
    fc.property(awkward, awkward, (title, channelName) => {
      const video = { ...VIDEO, title, channelName, fetchedAt }
      const csl = JSON.parse(cslEntry(video)) as Entry
      const ris = risEntry(video)
      const read = readRis(`${ris}${ris}`)
      assert.equal(read.length, 2)
      for (const one of read) {
        assert.equal(one['title'], csl['title'])
        assert.deepEqual(
          [one['id'], one['type'], one.URL],
          ['jNQXAC9IVRw', 'motion_picture', VIDEO.url],
        )
      }
      assert.equal(
        ris
          .split('\r\n')
          .find((line) => line.startsWith('TI'))
          ?.slice(6),
        csl['title'],
      )
    }),
  )
})

/** Returns the properties and the text of a note. */
function readNote(note: string): { properties: Json; text: string } {
  assert.ok(note.startsWith('---\n'))
  const end = note.indexOf('\n---\n')
  const document = parseDocument(note.slice(4, end + 1), { version: '1.1' })
  assert.deepEqual([document.errors, document.warnings], [[], []])
  return { properties: document.toJS() as Json, text: note.slice(end + 5) }
}

test('a note begins with what is known of its video as properties', () => {
  const { properties, text } = readNote(
    noteOf(VIDEO, saying('It costs $5 or 7$ here. %%no comment%%')),
  )
  assert.deepEqual(properties, {
    title: 'Me at the zoo',
    channel: 'jawed',
    published: '2005-04-23',
    url: VIDEO.url,
    videoId: VIDEO.videoId,
    language: 'en',
    captions: 'automatic',
    duration: 19,
    tags: ['elephants', 'San-Diego', 'zoo'],
  })
  assert.match(text, /^\n# Me at the zoo\n/)
  assert.match(text, /costs \\\$5 or 7\\\$ here\. \\%%no comment\\%%/)
  const bare = {
    ...VIDEO,
    channelName: null,
    publishedAt: null,
    durationSeconds: null,
    keywords: null,
  }
  assert.deepEqual(Object.keys(readNote(noteOf(bare, saying('a'))).properties), [
    'title',
    'url',
    'videoId',
    'language',
    'captions',
    'tags',
  ])
})

test('properties are read as they were written, and names can be linked to, whatever the titles are', () => {
  fc.assert(
    fc.property(awkward, awkward, fc.array(awkward), (title, channelName, keywords) => {
      const video = { ...VIDEO, title, channelName, keywords }
      const { properties } = readNote(noteOf(video, saying('a')))
      const line = (text: string) => (hasVisible(text) ? oneLine(text) : undefined)
      assert.equal(properties['title'], line(title) ?? VIDEO.videoId)
      assert.equal(properties['channel'], line(channelName))
      for (const tag of properties['tags'] as string[]) assert.match(tag, /^[\p{L}\p{M}\p{N}_-]+$/u)
      assert.doesNotMatch(noteStem(video, false), /[[\]#^|\\/:*?"<>\p{Cc}]/u)
      assert.match(noteStem(video, false), /^2005-04-23 .*\(jNQXAC9IVRw\)$/)
    }),
  )
  assert.equal(
    noteStem({ ...VIDEO, title: 'C# [live] ^1' }, true),
    '2005-04-23 C live 1 (jNQXAC9IVRw) en asr',
  )
})

test('a line for 4CAT has the columns that it asks for, and commands no spreadsheet', () => {
  fc.assert(
    fc.property(awkward, awkward, awkward, (title, channelName, words) => {
      const segments = oneLineSegments(saying(words, 'and "more", he said'))
      const video = { ...VIDEO, title, channelName }
      const csv = `${FOUR_CAT_HEAD}${fourCatLine(video, segments)}`
      const [row, ...more] = parseCsv(csv, { columns: true }) as Record<string, string>[]
      assert.equal(more.length, 0)
      const { id, thread_id: thread, timestamp, body = '', ...rest } = row ?? {}
      assert.deepEqual(
        [id, thread, timestamp],
        [VIDEO.videoId, VIDEO.channelId, '2005-04-24 03:31:52'],
      )
      assert.match(body, /and "more", he said$/)
      for (const cell of Object.values({ ...rest, body })) assert.ok(!isFormula(cell), cell)
    }),
  )
  const [row] = parseCsv(`${FOUR_CAT_HEAD}${fourCatLine(VIDEO, saying('a'))}`, {
    columns: true,
  }) as Json[]
  assert.deepEqual(
    [row!['captions'], row!['duration_seconds'], row!['tags']],
    ['automatic', '19', 'elephants,San Diego,2005,#zoo'],
  )
  const tagged = { ...VIDEO, keywords: ['lions, tigers', 'bears'] }
  const [parted] = parseCsv(`${FOUR_CAT_HEAD}${fourCatLine(tagged, saying('a'))}`, {
    columns: true,
  }) as Json[]
  assert.equal(parted!['tags'], 'lions  tigers,bears', 'a tag with a comma stays one')
})

test('a vault with more notes than a ZIP holds files is refused before it is sent', () => {
  const texts = Array.from({ length: LIMITS.zipEntriesMax + 1 }, (_, index) => {
    const row = {
      ...VIDEO,
      jobId: 'job',
      index,
      status: 'success',
      label: null,
      errorMessage: null,
    }
    return { row, sizeBytes: 1 }
  })
  const source = {} as TextSource
  assert.doesNotThrow(() => openVault(source, texts.slice(1)))
  assert.throws(() => openVault(source, texts), /^Error: 65001 notes are more than/)
})
