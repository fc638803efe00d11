/** What bounds trials: videos that visitors without an account have read on the first page. */
import { whole } from './settings.ts'

export const TRIAL_SETTINGS = {
  TRIALS_PER_HOUR: whole({
    about:
      'Videos that visitors without an account may have read on the first page within any hour, all of them together; one that was read within the day is not counted again. 0 takes the box away.',
    unit: 'videos',
    default: 30,
    min: 0,
    max: 100_000,
  }),
  TRIALS_PER_DAY: whole({
    about: 'The same within any 24 hours.',
    unit: 'videos',
    default: 200,
    min: 1,
    max: 1_000_000,
  }),
}

export const TRIAL_LIMITS = {
  /** How long reading may take, waiting for a place and a route included. */
  trialSeconds: 45,
  /** Attempts that may be lost with their processes; then it is told as it is. */
  trialAttemptsMax: 2,
  /** How long one is kept, and counts. */
  trialKeptSeconds: 86_400,
  /** How long a refusal is believed, since a stream ends and a premiere begins. */
  trialRefusedSeconds: 3_600,
  /** After which time it is worth while to ask once more for what nobody could read. */
  trialObstructedSeconds: 300,
  /** What is shown: words of the first minutes, and no more than a page of them. */
  trialShownMs: 180_000,
  trialShownChars: 6_000,
  /** When a page that waits asks again. */
  trialLookSeconds: 1,
} as const
