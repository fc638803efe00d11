/** What can be turned at the emulator while it runs: how the platform behaves towards everyone. */

export type Settings = {
  /** The shape of lists: today's, the one before May 2026, or changing from page to page. */
  layout: 'lockup' | 'legacy' | 'mixed'
  /** What WEB and MWEB say of a video that plays: guarded tracks, or "reload the page". */
  web: 'xpe' | 'reload'
  /** Clients that are asked to log in unless the request carries visitorData. */
  visitorWanted: readonly string[]
  /** The oldest version of a client that is served; older ones get 400 FAILED_PRECONDITION. */
  clientFloors: Readonly<Record<string, string>>
  /** How long a signed caption address lasts, in milliseconds. */
  timedtextLifeMs: number
  /** Whether every caption address wants a token, whoever asked for it. */
  guardAll: boolean
  /** What the `gemini` variant answers to json3. */
  geminiJson3: 'served' | 'empty' | 'html'
  /** Whether channels have `UU…` lists at all. */
  uploadsLists: boolean
  /** Whether lists that fit on one page carry a token, and playlists one for recommendations. */
  strayTokens: boolean
  /** Whether the last page of a list is an empty one. */
  emptyLastPage: boolean
  /** Whether continuations of playlists carry `contents` too, as recorded. */
  continuationContents: boolean
  /** Where the token stands in playlists of the newer layout. */
  tokenPlace: 'item' | 'short' | 'executor'
  latencyMs: number
  /** Up to this much more, evenly spread, in milliseconds. */
  jitterMs: number
  /** Countries of caller addresses; everyone else is in the United States. */
  countries: Readonly<Record<string, string>>
}

export const FRIENDLY: Settings = {
  layout: 'lockup',
  web: 'xpe',
  visitorWanted: ['VISIONOS'],
  clientFloors: { ANDROID: '20.0' },
  timedtextLifeMs: 23_400_000,
  guardAll: false,
  geminiJson3: 'served',
  uploadsLists: true,
  strayTokens: false,
  emptyLastPage: false,
  continuationContents: true,
  tokenPlace: 'item',
  latencyMs: 0,
  jitterMs: 0,
  countries: {},
}

/** Throws with a sentence where `changes` names a knob that does not exist. */
export function withChanges(
  settings: Settings,
  changes: Readonly<Record<string, unknown>>,
): Settings {
  const unknown = Object.keys(changes).filter((name) => !(name in FRIENDLY))
  if (unknown.length > 0) {
    throw new Error(
      `no such knob: ${unknown.join(', ')}; there are ${Object.keys(FRIENDLY).join(', ')}`,
    )
  }
  return { ...settings, ...changes } as Settings
}
