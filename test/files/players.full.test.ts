/** SRT and VTT, read by ffmpeg: a player shows what was said, cue by cue. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { oneLineSegments } from '../../src/model/transcripts/one-line.ts'
import { written } from '../support/written.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { LINES } from './made-up-job.ts'
import { needs } from '../support/needs.ts'

type Cue = { startMs: number; endMs: number; text: string }

/** Fixed seed: the captions are the same in every run. */
const SEED = 8
const CAPTIONS = 400

let folder: string
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-players-'))
})
after(() => fs.rmSync(folder, { recursive: true }))

/** Returns the cues that ffmpeg decodes from the file as a player would, by way of plain SubRip. */
function decoded(file: string, content: string): Cue[] {
  const given = path.join(folder, file)
  fs.writeFileSync(given, content)
  const options = { encoding: 'utf8', maxBuffer: 1e8 } as const
  const printed = execFileSync('ffmpeg', ['-v', 'error', '-i', given, '-f', 'srt', '-'], options)
  return printed
    .trimEnd()
    .split(/\n\n(?=\d+\n\d\d:)/)
    .map((cue) => {
      const [, times = '', ...lines] = cue.split('\n')
      const [startMs = -1, endMs = -1] = times.split(' --> ').map(milliseconds)
      return { startMs, endMs, text: lines.join('\n').replaceAll('\u200b', '') }
    })
}

function assertShown(shown: Cue[], said: Segment[]): void {
  for (const [at, segment] of said.entries()) assert.deepEqual(shown[at], segment)
  assert.equal(shown.length, said.length)
}

function milliseconds(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = clock.split(/[:,]/).map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
}

function captions(pieces: string[]): Segment[] {
  const texts = fc.sample(
    fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' ')),
    { seed: SEED, numRuns: CAPTIONS },
  )
  return oneLineSegments(
    texts.map((text, at) => ({
      startMs: at * 7_919,
      endMs: at * 7_919 + 1 + ((at * 613) % 7_000),
      text,
    })),
  )
}

const HOSTILE = [
  ...LINES,
  'two\nlines',
  '\n\n',
  '\r\n9\r\n00:00:01,000 --> 00:00:02,000\r\nfalse cue',
  '<font color=red>',
  '</i',
  '<!-- -->',
  '<3',
  '<00:00:01.000>',
  '<c.red>',
  '&lt;b&gt; &amp; &nbsp;',
  '"',
  'word',
]

test('ffmpeg shows every caption of an SRT as it was said, at its time', needs('ffmpeg'), () => {
  const segments = captions([...HOSTILE, '{\\b1}', '{C:x}', '{', '\\N', '\\h'])
  assertShown(decoded('captions.srt', written(segments, 'srt')), segments)
})

test('ffmpeg shows every caption of a VTT as it was said, at its time', needs('ffmpeg'), () => {
  // ffmpeg converts by way of another format, in which braces and backslashes mean something that they do not in VTT.
  const segments = captions(HOSTILE.filter((text) => !/[{}\\]/.test(text)))
  assertShown(decoded('captions.vtt', written(segments, 'vtt')), segments)
})
