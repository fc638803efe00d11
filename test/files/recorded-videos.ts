/** The videos of the job that downloads are tested on: words, markup, a formula, no captions. */

export const SEGMENTS = [
  { startMs: 0, endMs: 1_000, text: 'Hello there.' },
  { startMs: 5_500, endMs: 6_000, text: '<b>bold</b> words' },
]
export const VIDEOS = [
  { title: 'First: the title', segments: SEGMENTS },
  { title: '=cmd()', segments: null },
  { title: 'Dritter Film — 東京', segments: SEGMENTS.slice(0, 1) },
]
