/** The json3 form of a caption track: events with segments; automatic ones roll in a window. */
import type { JsonObject } from '../call.ts'
import { type Line, rolls } from '../captions.ts'
import type { Track, TrackStyle } from '../model.ts'
import { breakBelow, layersOf, repeated, type TrackText } from './track-text.ts'

export function json3({ video, track, lines }: TrackText): string {
  const events: JsonObject[] = rolls(track)
    ? [
        { tStartMs: 0, dDurationMs: video.durationMs, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
        ...lines.flatMap((line, index) => repeated(track, rolled(track, line, lines[index + 1]))),
      ]
    : lines.flatMap((line, index) => placed(line, track.style, index))
  return JSON.stringify({
    wireMagic: 'pb3',
    pens: [{}, { bAttr: 1 }, { iAttr: 1 }],
    wsWinStyles: [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }],
    wpWinPositions: [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }],
    events,
  })
}

/** Returns a line of the rolling window, and the line break below it. */
function rolled(track: Track, line: Line, next: Line | undefined): JsonObject[] {
  const { startMs, durationMs, pieces } = line
  const event = {
    tStartMs: startMs,
    dDurationMs: durationMs,
    wWinId: 1,
    segs: pieces.map(({ raw, offsetMs, confidence }) =>
      offsetMs === 0
        ? { utf8: raw, acAsrConf: confidence }
        : { utf8: raw, tOffsetMs: offsetMs, acAsrConf: confidence },
    ),
  }
  if (next === undefined ? line.clearedMs === null : next.startMs === startMs) return [event]
  const { startMs: breakMs, durationMs: lastsMs, text } = breakBelow(track, line, next)
  const newline = {
    tStartMs: breakMs,
    ...(lastsMs === null ? {} : { dDurationMs: lastsMs }),
    wWinId: 1,
    aAppend: 1,
    ...(text === null ? {} : { segs: [{ utf8: text }] }),
  }
  return [event, newline]
}

function placed(line: Line, style: TrackStyle, index: number): JsonObject[] {
  const { startMs, durationMs, pieces } = line
  const asStrings = style === 'strings' && index % 2 === 0
  const written = (ms: number): number | string => (asStrings ? String(ms) : ms)
  const event = (segs: JsonObject[]): JsonObject => ({
    tStartMs: written(startMs),
    ...(durationMs === null ? {} : { dDurationMs: written(durationMs) }),
    segs,
  })
  if (style === 'twin_layers')
    return layersOf(line, index).map((shown) => ({
      tStartMs: shown.line.startMs,
      dDurationMs: shown.line.durationMs,
      wpWinPosId: shown.place,
      segs: shown.line.pieces.map(({ raw }) => ({ utf8: raw, pPenId: shown.pen })),
    }))
  if (style === 'layers')
    return [1, 2].map((pPenId) => event(pieces.map(({ raw }) => ({ utf8: raw, pPenId }))))
  const segs = pieces.map(({ raw }, at) =>
    pieces.length > 1 ? { utf8: raw, pPenId: at % 3 } : { utf8: raw },
  )
  return [event(segs)]
}
