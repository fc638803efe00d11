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
