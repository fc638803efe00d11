/** The fields of a Job that say what it is called: an extension, present only where `view=named` asks for it. */
import { Type } from 'typebox'

const WHEN = 'only with `view=named` and in the answer of PATCH'

const wordsOrNull = (what: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `${what}; ${WHEN}`,
      'x-extension': true,
    }),
  )

export const JOB_NAME_FIELDS = {
  title: Type.Optional(
    Type.String({
      description: `What the job is called: its name, or what it is about; ${WHEN}`,
      'x-extension': true,
    }),
  ),
  name: wordsOrNull('The name that it was given'),
  note: wordsOrNull('What was noted about it'),
}
