/** The WebVTT with time stamps as the track of a page: every cue as it was said, with a time for each word. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SAID, TIMED_VTT, SAID_WORDS } from '../words/timed-vtt.ts'
import { launchBrowser, noBrowser } from './site.ts'

type ReadCue = { text: string; startMs: number; endMs: number; stamps: string[] }

/** Waits for the track of the page, and returns what the browser makes of its cues. */
const READ_CUES = `(async () => {
  const element = document.querySelector('track')
  element.track.mode = 'showing'
  if (element.readyState < 2) await new Promise((loaded) => element.addEventListener('load', loaded))
  return Array.from(element.track.cues, (cue) => {
    const tree = cue.getCueAsHTML()
    const walker = document.createTreeWalker(tree, NodeFilter.SHOW_PROCESSING_INSTRUCTION)
    const stamps = []
    while (walker.nextNode() !== null) stamps.push(walker.currentNode.data)
    const [startMs, endMs] = [cue.startTime, cue.endTime].map((at) => Math.round(at * 1000))
    return { text: tree.textContent, startMs, endMs, stamps }
  })
})()`

test(
  'a browser shows every cue as it was said, with a time for each word',
  { skip: noBrowser },
  async () => {
    const server = http.createServer((request, response) => {
      const isTrack = request.url === '/words.vtt'
      response.setHeader('content-type', isTrack ? 'text/vtt; charset=utf-8' : 'text/html')
      response.end(isTrack ? TIMED_VTT : '<video><track default src="/words.vtt"></video>')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => server.close())
    const page = await (await launchBrowser({ after })).newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const read = (await page.evaluate(READ_CUES)) as ReadCue[]
    assert.equal(read.length, SAID.length)
    for (const [at, { text, startMs, endMs }] of SAID.entries()) {
      const cue = read[at]
      assert.deepEqual([cue?.text, cue?.startMs, cue?.endMs], [text, startMs, endMs])
      const timed = (SAID_WORDS[at] ?? []).slice(1)
      assert.equal(cue?.stamps.length, timed.length, text)
      for (const [nth, { startMs: saidAt }] of timed.entries())
        assert.ok(Math.abs(msOf(cue?.stamps[nth] ?? '') - saidAt) <= 1, text) // it writes a float
    }
  },
)

function msOf(stamp: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = stamp.split(':').map(Number)
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
}
