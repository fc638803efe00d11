/** The button that deletes the texts at an address of the API. */
import { askedPart } from './asked-part.tsx'

export const DeleteTexts = askedPart(
  async () => (await import('./delete-texts-question.tsx')).DeleteQuestion,
)
