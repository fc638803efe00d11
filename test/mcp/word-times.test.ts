/** `words` of `read_transcript` and `get_transcript`: when each word is said, in lines that pages make whole. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { type Agent, callsUntilReady, modernAgent } from './agents.ts'

type Word = { startMs: number; endMs: number; text: string }
type Segment = { startMs: number; endMs: number; text: string }

const { platform, customer } = await sharedService({ after })
const idOf = (key: string): string => platform.world.special(key).videoId

async function reads(agent: Agent, tool: string, args: Json) {
  const { content, isError } = await callsUntilReady(agent, tool, args)
  const said: string = content[0]?.['text']
  assert.notEqual(isError, true, said)
  const end = said.indexOf('\n\n')
  return { head: said.slice(0, end).split('\n'), text: said.slice(end + 2) }
}

const seconds = (ms: number): string => (Math.floor(ms / 10) / 100).toFixed(2)

test('an agent reads when each word of automatic captions is said, in pages that joined are all of them', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  for (const key of ['asr', 'japanese', 'past-stream']) {
    const bought = await reads(agent, 'get_transcript', { video: idOf(key), words: true })
    const [, jobId = ''] = /: jobId ([\w-]+), index 1/.exec(bought.head[1] ?? '') ?? []
    assert.ok(
      bought.head.some((line) => line.startsWith('Lines are start-end and words, in seconds.')),
    )
    assert.ok(bought.text.length <= 20_000)

    const segments = JSON.parse(
      (await who.downloads(`/jobs/${jobId}/files/1.json`)).toString(),
    ) as Segment[]
    const { words } = (await who.gets(`/jobs/${jobId}/videos/1/words.json`)) as { words: Word[] }
    let lines = bought.text
    for (let cursor = nextCursor(bought.head); cursor !== null;) {
      const asked = { jobId, index: 1, cursor, words: true, maxChars: 60_000 }
      const page = await reads(agent, 'read_transcript', asked)
      assert.ok(page.text.length <= 60_000)
      lines += page.text
      cursor = nextCursor(page.head)
    }
    assert.deepEqual(lines.split('\n').slice(0, -1), linesOf(segments, words))
  }
  await agent.close()
})

/** Returns the lines from the files of the API. */
function linesOf(segments: readonly Segment[], words: readonly Word[]): string[] {
  let next = 0
  return segments.map(({ startMs, endMs, text }) => {
    let [said, line] = ['', '']
    while (said.length < text.length && next < words.length) {
      const word = words[next++]!
      said += word.text
      line += word.startMs === startMs ? word.text : `${word.text}@${seconds(word.startMs)}`
    }
    assert.equal(said, text)
    return `${seconds(startMs)}-${seconds(endMs)} ${line}`
  })
}

function nextCursor(head: readonly string[]): number | null {
  const [, cursor] = /, next cursor (\d+)$/.exec(head[0] ?? '') ?? []
  return cursor === undefined ? null : Number(cursor)
}

test("a creator's captions have no times of words: the agent is told so, and gets the times of lines", async () => {
  const agent = await modernAgent(await customer('1'))
  const video = idOf('manual')
  const { head, text } = await reads(agent, 'get_transcript', { video, words: true, maxChars: 200 })
  assert.match(head.at(-1) ?? '', /^No times of words are kept of this text: .* Lines have their/)
  assert.match(head[2] ?? '', /^Read on, free: read_transcript .*, cursor \d+, words true\.$/)
  const timed = await reads(agent, 'get_transcript', { video, timestamps: true, maxChars: 200 })
  assert.equal(text, timed.text)
  assert.match(text, /^\[0:00:\d\d\] /)
  await agent.close()
})
