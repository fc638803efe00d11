/** The fields of a Job beyond version 1.0.0: what it is called. */
import { Type } from 'typebox'

const WHEN = 'only with `view=named` and in the answer of PATCH'

const wordsOrNull = (what: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `${what}; ${WHEN}`,
    }),
  )

export const JOB_EXTENSION_FIELDS = {
  title: Type.Optional(
    Type.String({
      description: `Name of the job, or what it is about; ${WHEN}`,
    }),
  ),
  name: wordsOrNull('The name you gave it'),
  note: wordsOrNull('Your note about it'),
}
