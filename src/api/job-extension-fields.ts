/** The fields of a Job beyond version 1.0.0: what it is called, and which notice is of the balance. */
import { Type } from 'typebox'

const WHEN = 'only with `view=named` and in the answer of PATCH'

const wordsOrNull = (what: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `${what}; ${WHEN}`,
      'x-extension': true,
    }),
  )

export const JOB_EXTENSION_FIELDS = {
  balanceNotice: Type.Optional(
    Type.String({
      description:
        'The one of `notices` that says how many of the videos asked for the balance covers: it matters only where ' +
        'there are more videos than that. Only in the answer that started the job',
      'x-extension': true,
    }),
  ),
  title: Type.Optional(
    Type.String({
      description: `Name of the job, or what it is about; ${WHEN}`,
      'x-extension': true,
    }),
  ),
  name: wordsOrNull('The name you gave it'),
  note: wordsOrNull('Your note about it'),
}
