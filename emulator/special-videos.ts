/** The videos of the Caption Laboratory: one for every row, track set and oddity that is worth a test. */
import type { VideoState } from './model.ts'
import { REPORTED } from './reported-videos.ts'
import { special, type Special, type SpecialRest } from './special.ts'
import { asr, manual } from './track-sets.ts'

const refused = (key: string, state: VideoState, note: string, rest: SpecialRest = {}): Special =>
  special(key, note, { state, tracks: [manual('en'), asr('en')], ...rest })

const hidden = { isListed: false, tracks: [] }
const NAMES = ['', 'SDH', 'Commentary', 'Lyrics', 'Signs', 'Simple words']
const MANY = ['en', 'es', 'de', 'fr', 'pt-BR', 'ru', 'ar', 'iw', 'hi', 'ko', 'ja', 'zh-Hant']

/** Videos for the row statuses: everything that the platform can say instead of captions. */
const ROWS: readonly Special[] = [
  special('live-now', 'On air: OK, isLive, no captions yet', {
    state: 'live_now',
    kind: 'live',
    tracks: [],
    durationS: 0,
  }),
  special('just-ended', 'A stream that ended: isPostLiveDvr, no captions yet', {
    state: 'post_live',
    kind: 'live',
    tracks: [],
  }),
  special('upcoming-live', 'Will begin in 18 hours', {
    state: 'upcoming_live',
    kind: 'live',
    tracks: [],
    durationS: 0,
  }),
  special('upcoming-premiere', 'Premieres in 3 days', { state: 'upcoming_premiere', tracks: [] }),
  special('no-captions', 'Plays, has no captions at all', { tracks: [] }),
  special('no-original', 'Japanese audio, captions in English and French only', {
    language: 'ja',
    tracks: [manual('en'), manual('fr')],
    audio: ['ja', 'en'],
  }),
  special('private', 'Private', { state: 'private', ...hidden }),
  special('deleted', 'Deleted: unknown to the platform', { state: 'not_found', ...hidden }),
  special('removed', 'Removed by the uploader', { state: 'removed_by_uploader', ...hidden }),
  special('violating', 'Removed for violating the rules', {
    state: 'removed_violation',
    ...hidden,
  }),
  special('terminated', 'Gone because its account was terminated', {
    state: 'account_terminated',
    ...hidden,
  }),
  refused('age', 'age_legacy', 'Age gate with desktopLegacyAgeGateReason'),
  refused('age-confirm', 'age_confirm', 'Age gate: sign in to confirm your age'),
  refused('age-check', 'age_check', 'Age gate: AGE_CHECK_REQUIRED'),
  refused('age-verification', 'age_verification', 'Age gate: AGE_VERIFICATION_REQUIRED'),
  refused(
    'age-embeddable',
    'age_embeddable',
    'Age gate that the embedded player passes: a success',
  ),
  refused('members', 'members_level', 'Members only, with the level named'),
  refused('members-join', 'members_join', 'Members only: join this channel'),
  refused('premium', 'premium', 'Music Premium members only'),
  refused('paid', 'payment', 'Requires payment'),
  refused('region', 'region', 'Not available in your country'),
  refused(
    'kids',
    'kids',
    'Made for kids: VISIONOS and ANDROID_VR refuse, ANDROID plays: a success',
  ),
  refused('odd-reason', 'odd', 'Unplayable with an unknown sentence: never a verdict'),
  special('unlisted', 'Unlisted: plays, but is in no list', { isListed: false }),
]

/** Videos for the track sets. */
const TRACKS: readonly Special[] = [
  special('asr', 'Automatic captions only'),
  special('manual', 'Creator captions only', { tracks: [manual('en')] }),
  special('both', 'Creator and automatic captions', { tracks: [manual('en'), asr('en')] }),
  special('two-names', 'Two creator tracks of one language', {
    tracks: [manual('en'), manual('en', { name: 'With sound descriptions' }), asr('en')],
  }),
  special('regions', 'British and American tracks, automatic English', {
    tracks: [manual('en-GB'), manual('en-US'), asr('en')],
  }),
  special('one-region', 'Brazilian Portuguese only', {
    language: 'pt-BR',
    tracks: [manual('pt-BR')],
  }),
  special('dubs', 'Japanese with English and Spanish dubs', {
    language: 'ja',
    tracks: [manual('en'), manual('es'), asr('ja')],
    audio: ['ja', 'en', 'es'],
  }),
  special('translated', 'German with creator captions in three languages', {
    language: 'de',
    tracks: [manual('en'), manual('fr'), manual('de')],
    audio: ['de', 'en'],
  }),
  special('many', 'Thirty-six tracks', {
    tracks: MANY.flatMap((code) => NAMES.slice(0, 3).map((name) => manual(code, { name }))),
    audio: ['en', 'es'],
  }),
  special('gemini', 'The newer automatic variant', { tracks: [asr('en', { variant: 'gemini' })] }),
  special('punctuated', 'The punctuated automatic variant', {
    tracks: [asr('en', { variant: 'punctuated' })],
  }),
  special('android-only', 'VISIONOS shows no captions, the others do', {
    tracks: [asr('en', { hiddenFrom: ['VISIONOS', 'ANDROID_VR'] })],
  }),
  special('guarded', 'VISIONOS needs a token for the captions, the others do not', {
    tracks: [asr('en', { guardedAt: ['VISIONOS'] })],
  }),
  special('arabic', 'Right to left, automatic', { language: 'ar', tracks: [asr('ar')] }),
  special('hebrew', 'Right to left, the old code iw', {
    language: 'iw',
    tracks: [manual('iw'), asr('iw')],
  }),
  special('hindi', 'Devanagari', { language: 'hi', tracks: [manual('hi')] }),
  special('russian', 'Cyrillic', { language: 'ru', tracks: [asr('ru')] }),
  special('korean', 'Hangul', { language: 'ko', tracks: [asr('ko')] }),
  special('japanese', 'Japanese, automatic, without spaces', {
    language: 'ja',
    tracks: [asr('ja')],
  }),
  special('chinese', 'Traditional Chinese', { language: 'zh-Hant', tracks: [manual('zh-Hant')] }),
]

/** Videos for the ways in which captions are written, and for lengths. */
const STYLES: readonly Special[] = [
  special('styled', 'Cues in many styled pieces with zero-width spaces', {
    tracks: [manual('en', { style: 'styled' })],
  }),
  special('overlapping', 'Two speakers at once, on purpose', {
    tracks: [manual('en', { style: 'overlapping' })],
  }),
  special('open-ended', 'Durations missing or zero', {
    tracks: [manual('en', { style: 'open_ended' })],
  }),
  special('strings', 'Numbers as strings, attributes in another order', {
    tracks: [manual('en', { style: 'strings' })],
  }),
  special('markup', 'Literal markup, and 1 < 2', { tracks: [manual('en', { style: 'markup' })] }),
  special('entities', 'The author wrote &amp; and means it', {
    tracks: [manual('en', { style: 'entities' })],
  }),
  special('two-lines', 'Two lines in each cue', { tracks: [manual('en', { style: 'two_lines' })] }),
  special('sounds', '[Music], >> and [ __ ]', { tracks: [asr('en', { style: 'sounds' })] }),
  special('unicode', 'Decomposed letters and invisible characters', {
    tracks: [manual('en', { style: 'unicode' })],
  }),
  special('twins', 'Automatic lines that start together', {
    tracks: [asr('en', { style: 'twins' })],
  }),
  special('short', 'A Short of 15 seconds', { kind: 'short', durationS: 15 }),
  special('short-silent', 'A Short without captions', { kind: 'short', durationS: 22, tracks: [] }),
  special('eleven-hours', 'Eleven hours long', { durationS: 11 * 3600, tracks: [asr('en')] }),
  special('past-stream', 'A past stream of two hours', { kind: 'live', durationS: 7200 }),
]

const TITLES: readonly (readonly [string, string, string])[] = [
  ['title-emoji', 'Emoji in the title', '📚 Beats to relax 👩‍👩‍👧‍👦 🇺🇦 and ☕'],
  ['title-rtl', 'A title from right to left', 'شرح الدرس الأول: مقدمة \u200fin English'],
  ['title-quotes', 'Quotes and commas', 'He said "it\'s, well, fine"; then left'],
  ['title-formula', 'A formula', '=1+1'],
  ['title-formula-at', 'A formula with @', "@SUM(1+9)*cmd|' /C calc'!A0"],
  ['title-html', 'HTML', '<script>alert(1)</script> & <b>bold</b>'],
  ['title-control', 'Control characters', 'Tab\there, bell\u0007, and a \u0000 zero'],
  [
    'title-long',
    'Three hundred characters',
    'A very long title '.repeat(17).slice(0, 299).padEnd(300, '.'),
  ],
  ['title-path', 'A file path', '../../etc/passwd: CON | aux? <nul>*'],
]

/** All special videos. Their places determine their ids, so new ones go to the end of the last list. */
export const SPECIALS: readonly Special[] = [
  ...ROWS,
  ...TRACKS,
  ...STYLES,
  ...TITLES.map(([key, note, title]) => special(key, note, { title, durationS: 90 })),
  ...REPORTED,
]
