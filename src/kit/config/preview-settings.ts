/** What bounds previews, and trials with them: the operator's settings, and the limits that nobody needs to change. */
import { whole } from './settings.ts'
import { TRIAL_SETTINGS } from './trial-settings.ts'

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
