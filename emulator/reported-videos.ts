/** The videos of the Caption Laboratory that later releases added, from what people reported. */
import type { VideoFacts } from './model.ts'
import { special, type Special, type SpecialRest } from './special.ts'
import { asr, manual } from './track-sets.ts'

/** A video of a later release is in no list, so that the lists stay as they were. */
const later = (key: string, note: string, rest: SpecialRest): Special =>
  special(key, note, { isListed: false, ...rest })

/** Videos that clients were reported to read wrong (2026). */
const READ_WRONG: readonly Special[] = [
  later('marks-only', 'Cues of marks that nobody sees, and nothing else: a track without words', {
    tracks: [manual('en', { style: 'blank' })],
  }),
  later('marks-around', 'Invisible marks around words, between them, and alone in a cue', {
    tracks: [manual('en', { style: 'marked' })],
  }),
  later('sentences', 'Automatic sentences of three seconds that stay until they are cleared', {
    tracks: [asr('en', { style: 'sentences' })],
  }),
  later(
    'doubled',
    'Each event twice, with a time for each word, as where there are several sounds',
    {
      tracks: [manual('en', { style: 'doubled' })],
      audio: ['en', 'es'],
    },
  ),
  later('layers', 'Each cue twice: a layer for its outline and one for its shadow', {
    tracks: [manual('en', { style: 'layers' })],
  }),
  later('two-regions', 'Plain and British English, and nothing that tells the original', {
    language: 'en-AU',
    tracks: [manual('en'), manual('en-GB')],
  }),
  later('recognised-regions', 'Automatic English of two regions, creator captions in French', {
    tracks: [manual('fr'), asr('en'), asr('en-US')],
  }),
  later('no-speech', 'A sound without speech (zxx), automatic English', {
    tracks: [asr('en')],
    audio: ['zxx'],
  }),
  later(
    'foreign-sound',
    'Japanese sound without a track, automatic English and creator captions in French',
    {
      tracks: [manual('fr'), asr('en')],
      audio: ['ja'],
    },
  ),
  later('untold', 'Creator captions in three languages, and nothing that tells the original', {
    language: 'de-AT',
    tracks: [manual('de'), manual('en'), manual('fr')],
  }),
  later('mandarin-sound', 'Sound in Mandarin (cmn), creator captions in zh-Hans and English', {
    language: 'zh-Hans',
    tracks: [manual('en'), manual('zh-Hans')],
    audio: ['cmn'],
  }),
  later('no-language', 'A creator track that names no language (zxx) in front of an English one', {
    language: 'en-AU',
    tracks: [manual('zxx'), manual('en')],
  }),
  later('other-script', 'Simplified Chinese by the creator, automatic English', {
    tracks: [manual('zh-Hans'), asr('en')],
  }),
  later(
    'hidden-original',
    'Japanese sound, captions in it hidden from VISIONOS, English and French ones',
    {
      language: 'ja',
      tracks: [
        manual('en'),
        manual('fr'),
        manual('ja', { hiddenFrom: ['VISIONOS', 'ANDROID_VR'] }),
      ],
      audio: ['ja'],
    },
  ),
  later('one-cue', 'The whole talk in one cue of the creator, and automatic captions', {
    tracks: [manual('en', { style: 'one_cue' }), asr('en')],
  }),
  later('paragraphs', 'The talk in a few cues of minutes', {
    tracks: [manual('en', { style: 'paragraphs' })],
  }),
  later('chat', 'A chat in place of captions, by the name of its track, and automatic captions', {
    tracks: [manual('en', { name: 'Twitch Chat' }), asr('en')],
  }),
]

const PLAYS: VideoFacts = { state: 'ok', tracks: [asr('en')] }

/** Videos that are refused for now: each plays with captions once the knob `areOpened` is set. */
const FOR_NOW: readonly Special[] = [
  later('members-first', 'For members first, open to all later', {
    state: 'members_level',
    opened: PLAYS,
  }),
  later('private-first', 'In a playlist while it is private, public later', {
    state: 'private',
    opened: PLAYS,
  }),
  later('premiere-far', 'Premieres in 40 days', {
    state: 'upcoming_far',
    tracks: [],
    opened: PLAYS,
  }),
  later(
    'translation-first',
    'Japanese, with its English translation first and its own captions later',
    {
      language: 'ja',
      tracks: [manual('en')],
      audio: ['ja', 'en'],
      opened: { tracks: [manual('en'), manual('ja')] },
    },
  ),
]

/** Videos whose captions show how their events end, and which are layers of one. */
const EVENTS: readonly Special[] = [
  later('blank-ends', 'Automatic sentences that blanks, empty pieces or no piece at all clear', {
    tracks: [asr('en', { style: 'blank_ends' })],
  }),
  later('open-blanks', 'Creator cues without durations, each ended by an event without words', {
    tracks: [manual('en', { style: 'blank_ends' })],
  }),
  later('twin-layers', 'Each cue goes on in another pen and place, and begins in two layers', {
    tracks: [manual('en', { style: 'twin_layers' })],
  }),
]

export const REPORTED: readonly Special[] = [...READ_WRONG, ...FOR_NOW, ...EVENTS]
