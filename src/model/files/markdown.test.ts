/** The Markdown export: what was said comes out as it was said, whatever a renderer makes of its characters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontMatter, markdownOf } from './markdown.ts'

test('nothing that was said is read as markup', () => {
  const video = {
    videoId: 'v',
    title: 'AT&amp;T *live* <b>',
    url: 'https://www.youtube.com/watch?v=v',
    channelName: 'A & B',
    publishedAt: null,
    languageCode: 'en',
    trackKind: 'asr',
    chapters: [],
    channelId: null,
    durationSeconds: null,
    keywords: null,
  }
  const markdown = markdownOf(video, [
    { startMs: 0, endMs: 2_000, text: 'write &lt;b&gt; or [x](y)' },
  ])
  assert.match(markdown, /^# AT\\&amp;T \\\*live\\\* \\<b\\>$/m)
  assert.match(markdown, /^- Channel: A \\& B$/m)
  assert.match(markdown, /\) write \\&lt;b\\&gt; or \\\[x\\\]\(y\)$/m)
})

test('the front matter has one line for each field, wherever a reader of YAML ends lines', () => {
  const title = 'one\u0085two\u2028three\u2029four\u0000\ufeff "five" \n six'
  const lines = frontMatter({ title, videos: 3 }).split(/[\n\r\x85\u2028\u2029]/)
  assert.deepEqual(lines.slice(2), ['videos: 3', '---', ''])
  const [first, second] = lines
  assert.equal(first, '---')
  assert.equal(JSON.parse((second ?? '').slice('title: '.length)), title)
  assert.match(second ?? '', /^[\x20-\x7e]+$/)
})
