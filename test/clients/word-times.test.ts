/** The clients' way to words with their times, to the tracks of a video, and to where its text came from. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NotFoundError, Scriptorium, type Words } from '../../clients/typescript/src/index.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const { platform, address, customer } = await sharedService({ after })
const idOf = (key: string): string => platform.world.special(key).videoId
const client = new Scriptorium({ apiKey: (await customer('1')).apiKey, baseUrl: address })

async function ordered(urls: string[]): Promise<string> {
  const { id } = await client.jobs.start({ urls }, { owned: 'skip' })
  await client.jobs.wait(id)
  return id
}

const textOf = (stream: ReadableStream): Promise<string> => new Response(stream).text()

test('the words of automatic captions come with their times, and joined they are the text', async () => {
  const id = await ordered([idOf('asr'), idOf('manual')])
  const [spoken, written] = await rowsOf(id)
  const row = await client.library.video(id, spoken.index)
  assert.deepEqual([row.hasWordTimes, row.tracks?.map(({ kind }) => kind)], [true, ['asr']])
  assert.match(row.source?.sha256 ?? '', /^[\da-f]{64}$/)
  const { words } = await client.files.words(id, spoken.index)
  assert.deepEqual(
    joined(words),
    spoken.segments?.map(({ text }) => text),
  )
  for (const { startMs, endMs } of words) assert.ok(startMs <= endMs)
  const vtt = await textOf(await client.files.wordsVtt(id, spoken.index))
  assert.match(vtt, /^WEBVTT\n\n00:00:\d\d\.\d{3} --> .*\n.*<00:00:\d\d\.\d{3}><c> /)

  const other = await client.library.video(id, written.index)
  assert.deepEqual([other.hasWordTimes, other.tracks?.map(({ kind }) => kind)], [false, ['manual']])
  await assert.rejects(client.files.words(id, written.index), (error) => {
    assert.ok(error instanceof NotFoundError)
    assert.match(error.message, /^No times of words are kept of this video: /)
    return true
  })

  const again = await ordered([idOf('asr')])
  assert.deepEqual(await client.files.words(again, 1), { words }, 'an owned text has them, too')
})

test('a ZIP holds the files of words of those videos that have them', async () => {
  const id = await ordered([idOf('gemini'), idOf('both')])
  const [spoken, written] = await rowsOf(id)
  const wanted = { formats: ['text'], exports: ['words', 'wordsvtt'] } as const
  const files = unzipped(await bytesOf(await client.files.zip(id, wanted)))
  const vtt = await textOf(await client.files.wordsVtt(id, spoken.index))
  assert.equal(files.get(`${spoken.index}.words.vtt`), vtt)
  const { words } = JSON.parse(files.get(`${spoken.index}.words.json`) ?? '') as Words
  assert.deepEqual(
    joined(words),
    spoken.segments?.map(({ text }) => text),
  )
  assert.equal(files.has(`${written.index}.words.json`), false)
  const channel = platform.world.channel('lab').channelId
  const all = unzipped(await bytesOf(await client.library.file(channel, 'zip', wanted)))
  assert.ok([...all].some(([name, text]) => name.endsWith('.words.vtt') && text === vtt))
})

const bytesOf = async (stream: ReadableStream): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer())

async function rowsOf(id: string) {
  const { videos } = await client.jobs.resultsPage(id)
  const [first, second] = videos
  assert.ok(first !== undefined && second !== undefined)
  return [first, second] as const
}

/** Returns the texts of segments: the first word of each has no blank before it. */
function joined(words: Words['words']): string[] {
  const texts: string[] = []
  for (const { text } of words)
    if (text.startsWith(' ')) texts.push(`${texts.pop()}${text}`)
    else texts.push(text)
  return texts
}
