/** Settings for how long texts and backups are kept, and whether the public sees each day's figures. */
import { flag, text, whole } from './settings.ts'

export const KEEPING_SETTINGS = {
  RETENTION_DAYS: whole({
    about:
      'How long the texts of a final job are kept; its rows, report and receipt stay. 0 keeps them until their account is deleted.',
    unit: 'days',
    default: 0,
    min: 0,
    max: 36_500,
  }),
  BACKUP_DIR: text({
    about:
      'Folder of the backups: `account delete`, `storage` and the console name those in it that still hold deleted accounts.',
    unit: 'a path',
    default: null,
    defaultText: 'none',
  }),
  BACKUP_DAYS: whole({
    about: 'How old a backup may become before it is named as one to be removed.',
    unit: 'days',
    default: 30,
    min: 1,
    max: 36_500,
  }),
  STATUS_PAGE: flag({
    about:
      'Show at /status, to everybody, what was delivered and blocked on each of the last 90 days, median times and incidents: sums of the whole service.',
    default: true,
  }),
}
