/** Settings of how long texts and backups are kept, and whether the public sees what was done each day. */
import { choice, flag, text, whole } from '../settings.ts'

export const KEEPING_SETTINGS = {
  TRANSCRIPT_STORAGE: choice({
    about:
      'How new transcripts are stored: each form ready to send (`members`), or the words once in a fifth of the bytes, from which forms are made when they are read (`body`). Old ones stay as they are; it can be changed at any time.',
    unit: '',
    default: 'members',
    of: ['members', 'body'],
  }),
  PACKED_FORMS_MB: whole({
    about:
      'Space in the database for compressed forms that were made of bodies for downloads; the oldest are deleted and made again when they are read.',
    unit: 'megabytes',
    default: 1_024,
    min: 0,
    max: 1_000_000,
  }),
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
