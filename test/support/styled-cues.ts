/** Cues in pens and places, as the formats that have them write them, and what is read of them. */
import assert from 'node:assert/strict'
import { readTimedtext } from '../../src/model/transcripts/timedtext.ts'
import type { Segment, TrackKind } from '../../src/model/transcripts/transcript.ts'

/** A cue in several pens; its place is its own, or its window's. */
export type Styled = {
  t: number
  d: number
  runs: [pen: number | null, text: string][]
  pen?: number
  place?: number
  style?: number
  window?: number
}

const WINDOWS = [
  { id: 1, place: 7 },
  { id: 2, place: 7 },
  { id: 3, place: 8 },
]

export function inFormats(cues: readonly Styled[]): string[] {
  const events = cues.map(({ t, d, runs, pen, place, style, window }) => ({
    tStartMs: t,
    dDurationMs: d,
    pPenId: pen,
    wpWinPosId: place,
    wsWinStyleId: style,
    wWinId: window,
    segs: runs.map(([pPenId, utf8]) => (pPenId === null ? { utf8 } : { utf8, pPenId })),
  }))
  const windows = WINDOWS.map(({ id, place }) => ({ tStartMs: 0, id, wpWinPosId: place }))
  const attribute = (name: string, value: number | undefined): string =>
    value === undefined ? '' : ` ${name}="${value}"`
  const paragraphs = cues.map(({ t, d, runs, pen, place, style, window }) => {
    const own = [
      attribute('p', pen),
      attribute('wp', place),
      attribute('ws', style),
      attribute('w', window),
    ]
    const said = runs.map(([p, text]) => (p === null ? text : `<s p="${p}">${text}</s>`))
    return `<p t="${t}" d="${d}"${own.join('')}>${said.join('')}</p>`
  })
  const defined = WINDOWS.map(({ id, place }) => `<w t="0" id="${id}" wp="${place}"/>`)
  return [
    JSON.stringify({ events: [...windows, ...events] }),
    `<timedtext><body>${defined.join('')}${paragraphs.join('')}</body></timedtext>`,
  ]
}

export const cueIn = (t: number, d: number, text: string, look: Partial<Styled> = {}): Styled => ({
  t,
  d,
  runs: [[null, text]],
  ...look,
})

export function readStyled(body: string, kind: TrackKind): Segment[] {
  const reading = readTimedtext(Buffer.from(body), kind)
  return reading.kind === 'segments' ? reading.segments : []
}

export function timesOf(body: string, kind: TrackKind = 'manual'): Segment[] {
  return readStyled(body, kind).map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}

export function assertRead(cues: readonly Styled[], expected: [number, number, string][]): void {
  for (const body of inFormats(cues))
    assert.deepEqual(
      timesOf(body).map(({ startMs, endMs, text }) => [startMs, endMs, text]),
      expected,
      body,
    )
}
