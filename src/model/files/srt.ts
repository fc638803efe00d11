/** SubRip: subtitles that nearly every player reads. */
import { captionClock } from '../../kit/text/clock.ts'
import type { Subtitle } from './subtitles.ts'

const MAY_MEAN_MORE = /[<>{\\]/
const ARROW = /-->/g
const OVERRIDE_OR_BREAK = /\{(?=[\\a-z])|\\(?=[nh])/gi

/**
 * Returns the text so that SubRip's players show it as it is. SubRip has no escapes: a zero-width space takes the
 * meaning from what players read as an arrow, a tag (`<i>`), an override (`{\an8}`, `{y:i}`) or a line break (`\N`),
 * and leaves what people see.
 */
function disarmSrt(text: string): string {
  if (!MAY_MEAN_MORE.test(text)) return text
  return disarmTags(text).replace(OVERRIDE_OR_BREAK, '$&\u200b').replace(ARROW, '--\u200b>')
}

function disarmTags(text: string): string {
  let disarmed = ''
  let from = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!opensTag(text, at)) continue
    disarmed += `${text.slice(from, at + 1)}\u200b`
    from = at + 1
  }
  return disarmed + text.slice(from)
}

const BRACKET = /[<>]/g
const TAG_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!'

/** Returns whether a player may read a tag from here: what looks like one, or any closed angle brackets. */
function opensTag(text: string, at: number): boolean {
  const first = text.charAt(at + 1)
  if (first === '') return false
  if (TAG_LETTERS.includes(first)) return true
  if (first !== '<' && first.trim() === '') return false
  BRACKET.lastIndex = at + 2
  return BRACKET.exec(text)?.[0] === '>'
}

/** Returns SubRip with cues counted from 1, comma milliseconds; LF, and a blank line after each cue. */
export function writeSubRip(subtitles: readonly Subtitle[]): string {
  const cues = subtitles.map(
    ({ startMs, endMs, lines }, at) =>
      `${at + 1}\n${captionClock(startMs, ',')} --> ${captionClock(endMs, ',')}\n${lines.map(disarmSrt).join('\n')}\n\n`,
  )
  return cues.join('')
}
