/** The knobs, which can be changed while the emulator runs: how the platform behaves towards every caller. */

export type Settings = {
  /** The shape of lists: today's, the one before May 2026, or one that changes from page to page. */
  layout: 'lockup' | 'legacy' | 'mixed'
  /** The answer of WEB and MWEB about a video that plays: guarded tracks, or "reload the page". */
  web: 'xpe' | 'reload'
  /** Whether an embedded player needs the flags of the video's embed page (since March 2026). */
  embedFlags: boolean
  /** Clients that are asked to log in unless the request carries visitorData. */
  visitorWanted: readonly string[]
  /** The oldest version of a client that is served; older ones get 400 FAILED_PRECONDITION. */
  clientFloors: Readonly<Record<string, string>>
  /** How long a signed caption address is valid, in milliseconds. */
  timedtextLifeMs: number
  /** Whether every caption address needs a token, whatever client asks for it. */
  guardAll: boolean
  /** The experiment by which addresses say that they need one. */
  guard: 'xpe' | 'xpv'
  /** Whether caption addresses name their caller's address (`ip=`), as those of streams do. */
  tellsAddress: boolean
  /** The answer of the `gemini` variant to json3. */
  geminiJson3: 'served' | 'empty' | 'html'
  /** Whether channels have `UU…` lists at all. */
  uploadsLists: boolean
  /** Whether lists that fit on one page carry a token, and playlists one for recommendations. */
  strayTokens: boolean
  /** Whether the last page of a list is an empty one. */
  emptyLastPage: boolean
  /** Whether continuations of playlists carry `contents` too, as recorded. */
  continuationContents: boolean
  /** The place of the token in playlists of the newer layout; in a button it stands in all lists. */
  tokenPlace: 'item' | 'short' | 'executor' | 'button'
  /** Whether each page of a list gives another visitorData, and a continuation with an older one is an empty page. */
  freshVisitors: boolean
  /** The unit that the header of a playlist counts: `videos`, `lessons` and so on. */
  countUnit: string
  /** Whether the header rounds counts of a thousand and more, as in "1.2K". */
  roundedCounts: boolean
  /** Whether the special videos that are refused for now are open by now. */
  areOpened: boolean
  latencyMs: number
  /** The most additional latency, evenly distributed, in milliseconds. */
  jitterMs: number
  /** Countries by caller address; all other callers are in the United States. */
  countries: Readonly<Record<string, string>>
}

export const FRIENDLY: Settings = {
  layout: 'lockup',
  web: 'xpe',
  embedFlags: true,
  visitorWanted: ['VISIONOS'],
  clientFloors: { ANDROID: '20.0' },
  timedtextLifeMs: 23_400_000,
  guardAll: false,
  guard: 'xpe',
  tellsAddress: false,
  geminiJson3: 'served',
  uploadsLists: true,
  strayTokens: false,
  emptyLastPage: false,
  continuationContents: true,
  tokenPlace: 'item',
  freshVisitors: false,
  countUnit: 'videos',
  roundedCounts: false,
  areOpened: false,
  latencyMs: 0,
  jitterMs: 0,
  countries: {},
}

/** Returns settings with the changes. Throws a sentence where `changes` names an unknown knob. */
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
