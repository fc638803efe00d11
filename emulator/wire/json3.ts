/** The json3 form of a caption track: events with segments; automatic ones roll in a window. */
import type { JsonObject } from '../call.ts'
import type { Line } from '../captions.ts'
import type { TrackText } from './track-text.ts'

const NEWLINE_LEAD_MS = 10

export function json3({ video, track, lines }: TrackText): string {
  const isRolling = track.kind === 'asr'
  const events: JsonObject[] = isRolling
    ? [
        { tStartMs: 0, dDurationMs: video.durationMs, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
        ...lines.flatMap((line, index) => rolled(line, lines[index - 1])),
      ]
    : lines.map((line, index) => placed(line, track.style === 'strings', index))
  return JSON.stringify({
    wireMagic: 'pb3',
    pens: [{}, { bAttr: 1 }, { iAttr: 1 }],
    wsWinStyles: [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }],
    wpWinPositions: [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }],
    events,
  })
}

/** Returns a line of the rolling window, after a line break that ends with the line above. */
function rolled(line: Line, above: Line | undefined): JsonObject[] {
  const { startMs, durationMs, pieces } = line
  const event = {
    tStartMs: startMs,
    dDurationMs: durationMs,
    wWinId: 1,
    segs: pieces.map(({ raw, offsetMs }) =>
      offsetMs === 0
        ? { utf8: raw, acAsrConf: 0 }
        : { utf8: raw, tOffsetMs: offsetMs, acAsrConf: 0 },
    ),
  }
  if (above === undefined || above.startMs === startMs) return [event]
  const breakMs = startMs - NEWLINE_LEAD_MS
  const aboveEndMs = above.startMs + (above.durationMs ?? 0)
  const newline = {
    tStartMs: breakMs,
    dDurationMs: Math.max(aboveEndMs - breakMs, 0),
    wWinId: 1,
    aAppend: 1,
    segs: [{ utf8: '\n' }],
  }
  return [newline, event]
}

function placed(line: Line, asStrings: boolean, index: number): JsonObject {
  const { startMs, durationMs, pieces } = line
  const segs = pieces.map(({ raw }, at) =>
    pieces.length > 1 ? { utf8: raw, pPenId: at % 3 } : { utf8: raw },
  )
  const written = (ms: number): number | string => (asStrings && index % 2 === 0 ? String(ms) : ms)
  return {
    tStartMs: written(startMs),
    ...(durationMs === null ? {} : { dDurationMs: written(durationMs) }),
    segs,
  }
}
