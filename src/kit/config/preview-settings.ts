/** What bounds previews, and trials with them: the operator's settings, and the limits that nobody needs to change. */
import { whole } from './settings.ts'
import { TRIAL_LIMITS, TRIAL_SETTINGS } from './trial-settings.ts'

export const PREVIEW_SETTINGS = {
  PREVIEWS_PER_HOUR: whole({
    about:
      'Previews that an account may start within an hour; the same one again within the hour is not counted.',
    unit: 'previews',
    default: 30,
    min: 1,
    max: 100_000,
  }),
  PREVIEW_PAGES: whole({
    about:
      'List pages of up to 100 videos that a preview reads; where it names more lists than this, the first page of each.',
    unit: 'pages',
    default: 3,
    min: 1,
    max: 100,
  }),
  ...TRIAL_SETTINGS,
}

export const PREVIEW_LIMITS = {
  ...TRIAL_LIMITS,
  /** How long one is kept, and how long listing may take. */
  previewSeconds: 3_600,
  previewListingSeconds: 60,
  /** Attempts that may be lost with their processes; then it is told as it is. */
  previewAttemptsMax: 3,
  /** While a job with the same URLs is at work, a preview is counted anew this often at most. */
  previewRecountSeconds: 10,
  /** Listed by one process at once, where so many places for jobs are free. */
  previewsAtOnceMax: 4,
  previewPollMs: 1_000,
  previewSupervisionMs: 3_000,
  /** How often a waiting request looks. */
  previewLookMs: 250,
  /** Of the account's allowance of the day, previews leave this part, 1/2, to its jobs. */
  previewPartOfDay: 2,
} as const
