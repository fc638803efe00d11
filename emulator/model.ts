/** The parts of the world: channels, playlists, videos and caption tracks, as plain types. */

export type VideoKind = 'video' | 'short' | 'live'

/** The platform's state of a video; `ok` plays everywhere. Each state is a row of the platform facts. */
export type VideoState =
  | 'ok'
  | 'private'
  | 'not_found'
  | 'removed_by_uploader'
  | 'removed_violation'
  | 'account_terminated'
  | 'age_legacy'
  | 'age_confirm'
  | 'age_check'
  | 'age_verification'
  | 'age_embeddable'
  | 'members_level'
  | 'members_join'
  | 'premium'
  | 'payment'
  | 'region'
  | 'upcoming_live'
  | 'upcoming_premiere'
  | 'upcoming_far'
  | 'live_now'
  | 'post_live'
  | 'kids'
  | 'odd'

/** The style in which a track is written on the wire; a right client's words are always clean. */
export type TrackStyle =
  | 'plain'
  | 'styled' // one cue in many pen-styled pieces with zero-width spaces
  | 'overlapping' // two speakers on the screen at once
  | 'open_ended' // durations missing or zero
  | 'strings' // numbers as strings, attributes in another order
  | 'markup' // <i>, <font …> around words, and a literal "1 < 2"
  | 'entities' // the author wrote &amp; and meant it
  | 'sounds' // [Music], >> and [ __ ]
  | 'unicode' // decomposed letters, no-break spaces, byte order marks, direction marks
  | 'blank' // only marks that nobody sees
  | 'marked' // such marks around words, and joiners inside them
  | 'twins' // two automatic lines at the same instant
  | 'two_lines' // a line break inside each cue
  | 'talk' // words as frequent and as long as in real speech (speech.ts)
  | 'read' // a script, read once (lectures.ts)
  | 'sentences' // automatic, whole sentences of three seconds that stay until they are cleared
  | 'doubled' // the author's, with a time for each word, each event twice
  | 'layers' // each cue twice, with a pen for its outline and one for its shadow
  | 'one_cue' // the author's whole text in one cue
  | 'paragraphs' // the author's text in a few cues of minutes
  | 'blank_ends' // sentences that any event without words clears; the author's cues have no durations
  | 'twin_layers' // each cue in two pens and places, one after the other, the first also with unseen signs

/** Cues as lists of words, with their punctuation. */
export type Script = readonly (readonly string[])[]

export type Track = {
  languageCode: string
  kind: 'manual' | 'asr'
  /** The author's name for the track; '' for the usual one. */
  name: string
  style: TrackStyle
  /** Words, cue by cue; only in the style `read`. */
  script?: Script
  /** The recogniser's variant in the address; null for the classic one. */
  variant: 'gemini' | 'punctuated' | null
  /** Clients to which this track is not listed. */
  hiddenFrom: readonly string[]
  /** Clients whose address for the track needs a proof-of-origin token. */
  guardedAt: readonly string[]
}

/** Speech of an upload; without a title, its video has a drawn one. */
export type Talk = {
  title?: string
  durationS: number
  language: string
  tracks: readonly Track[]
}

export type Channel = {
  number: number
  key: string
  channelId: string
  /** The handle with its `@`; null where the channel has none. */
  handle: string | null
  title: string
  language: string
  /** How many videos were ever uploaded, hidden ones included. */
  uploads: number
  /** The kinds of the uploads, newest first, repeating. */
  pattern: readonly VideoKind[]
  state: 'ok' | 'terminated' | 'removed' | 'moved'
  /** Older addresses: legacy names, former handles. */
  aliases: readonly string[]
  /** Whether `UU…` lists answer. */
  hasUploadsLists: boolean
  /** Whether the list of all its uploads is a grid of the first hundred Shorts that names no next page. */
  hasCutGrid: boolean
  note: string
}

export type Video = {
  videoId: string
  channel: Channel
  upload: number
  kind: VideoKind
  state: VideoState
  isListed: boolean
  title: string
  durationMs: number
  publishedMs: number
  views: number
  /** The spoken language; null where there is no speech. */
  language: string | null
  /** Languages of named audio tracks, the original first; empty for one unnamed track. */
  audio: readonly string[]
  tracks: readonly Track[]
  note: string | null
}

/** Facts of an upload that replace those which its number gives it. */
export type VideoFacts = Partial<
  Pick<Video, 'state' | 'isListed' | 'tracks' | 'publishedMs' | 'title' | 'kind'>
>

export type PlaylistShape =
  | 'videos'
  | 'shorts' // a grid in the newer layout
  | 'cut_shorts' // a grid of the first hundred; a token for the first page lists them all
  | 'lost_shorts' // a grid of the first hundred, whatever is asked
  | 'endless' // its videos come again and again, under ever new tokens
  | 'dead_token' // the token of its first page leads nowhere
  | 'badged' // rows of badges before the channel's name, and behind views and date

export type Playlist = {
  number: number
  key: string
  playlistId: string
  title: string
  owner: Channel
  state: 'ok' | 'missing' | 'unviewable'
  shape: PlaylistShape
  length: number
  /** The count in its header; null for its length in the unit of the knob. */
  counts: string | null
  at(position: number): Video
  note: string
}
