/**
 * The forms of a transcript. An order names formats; each has a file of a video, `<index>.<ending>`, which is written
 * of segments as `oneLineSegments` leaves them (write-form.ts). Results pages are made of `text` and `json` as they
 * are, so both are complete JSON values.
 */
import { FILE_FORMS, type FileForm, FORM_FILES, type Format, FORMS } from './catalogue.ts'

/** A file of a text, or `text`: the JSON string of results pages. */
export type Form = FileForm | 'text'

/** Forms of every transcript, whatever was asked for. */
export const FORMS_ALWAYS: readonly Form[] = [
  ...FORM_FILES.filter((form) => FORMS[form].isAlways),
  'text',
]

/** Returns the file forms of a job's ZIP and links, in the order of their endings. */
export function requestedForms(formats: readonly Format[]): FileForm[] {
  return FILE_FORMS.filter((form) => formats.includes(FORMS[form].format))
}

const FORM_OF = Object.fromEntries(FORM_FILES.map((form) => [FORMS[form].format, form])) as Record<
  Format,
  FileForm
>

/** Returns the form of a format. */
export function formOf(format: Format): FileForm {
  return FORM_OF[format]
}
