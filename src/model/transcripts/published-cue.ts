/** A published cue: one piece of text as the platform's caption formats hold it. */

/** `durationMs` null or zero where the platform gave none. */
export type PublishedCue = { startMs: number; durationMs: number | null; text: string }
