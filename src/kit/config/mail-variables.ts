/** Settings of emails: the server through which they leave, or the folder in which they stay. */
import { mailServer, text } from './settings.ts'

export const MAIL_SETTINGS = {
  SMTP_URL: mailServer({
    about:
      'Mail server for confirmation and reset links; without it, emails are written to MAIL_DIR.',
  }),
  MAIL_DIR: text({
    about: 'Folder for emails when SMTP_URL is not set: one file each, readable only by this user.',
    unit: 'a path',
    default: null,
    defaultText: 'DATA_DIR/mail',
  }),
  MAIL_FROM: text({
    about: 'Sender of emails.',
    unit: 'an email address',
    form: 'an email address, or a name with one: Transcripts <post@example.org>',
    default: 'Scriptorium <no-reply@localhost>',
    pattern: /^(?:[^<>@]{0,200}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>|[^<>@\s]{1,64}@[^<>@\s]{1,255})$/,
  }),
}
