/** JSON lines: each is what the loaders of LangChain and LlamaIndex read, whatever was said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passageLines } from './passages.ts'

/** What a program may take for an end of line: ours, Windows', and those of Unicode (Python's splitlines). */
const LINE_ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/

test('every reader of lines finds one JSON object in each, with its text and what it is about', () => {
  const said = ['a "quote" \\', 'one\u2028two\u0085three\r\nfour', '東京 \ud83d\ude00', 'the end']
  const segments = said.map((text, at) => ({
    startMs: at * 10_000,
    endMs: at * 10_000 + 9_000,
    text,
  }))
  const video = {
    videoId: 'jNQXAC9IVRw',
    title: 'Me\u2029at the zoo',
    url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
    channelName: null,
    publishedAt: '2005-04-23T20:31:52-07:00',
    languageCode: 'en',
    trackKind: 'asr',
    chapters: [],
  }
  const exported = passageLines(video, segments, 15_000)
  const lines = exported.split(LINE_ENDS)
  assert.equal(lines.pop(), '')
  // JSONLinesLoader('/text') of LangChain and JSONReader({ isJsonLines: true }) of LlamaIndex.
  const read = lines.map((line) => JSON.parse(line.trim()) as Record<string, unknown>)
  assert.deepEqual(
    read.map(({ id, text }) => [id, text]),
    [
      ['jNQXAC9IVRw-0', `${said[0]} ${said[1]}`],
      ['jNQXAC9IVRw-20000', `${said[2]} ${said[3]}`],
    ],
  )
  assert.deepEqual(read[1]?.['metadata'], {
    source: video.url,
    title: video.title,
    channel: null,
    publishedAt: video.publishedAt,
    language: 'en',
    start_seconds: 20,
    end_seconds: 39,
    chapter: null,
  })
})
