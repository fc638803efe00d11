/** The WebVTT with time stamps, read by ffmpeg: every cue as it was said, and no mark in its words. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { SAID, TIMED_VTT } from './timed-vtt.ts'

test('ffmpeg shows every cue as it was said', needs('ffmpeg'), () => {
  const file = path.join(temporaryFolder({ after }), 'words.vtt')
  fs.writeFileSync(file, TIMED_VTT)
  const options = { encoding: 'utf8', maxBuffer: 1e8 } as const
  const shown = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'srt', '-'], options)
  const cues = shown.trimEnd().split(/\n\n(?=\d+\n\d\d:)/)
  const texts = cues.map((cue) => cue.split('\n').slice(2).join('\n').replaceAll('\u200b', ''))
  assert.deepEqual(
    texts,
    SAID.map(({ text }) => text),
  )
})
