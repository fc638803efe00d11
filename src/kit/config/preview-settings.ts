/** Bounds of previews, and of trials, which are videos that visitors without an account have read on the first page. */
import { whole } from './settings.ts'

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
