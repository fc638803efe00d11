/** A selection: what somebody chose of lists, all of whose texts are downloaded, added to a project or deleted. */
import { LIMITS } from '../../config/limits.ts'
import { counted } from '../../kit/text/counted.ts'
import { Problem } from '../../kit/problem.ts'
import { keyOfRow, type RowKey } from './row-key.ts'

/** Ids of what was chosen, and rows by their jobs; each stands once. */
export type ChosenParts = {
  jobs: readonly string[]
  batches: readonly string[]
  collections: readonly string[]
  rows: readonly RowKey[]
}

type Parts = { [Kind in keyof ChosenParts]?: ChosenParts[Kind] | undefined }

/** Returns the selection of these parts, each once. Throws invalid_request for none, and for too many. */
export function selectionOf(parts: Parts, field?: string): ChosenParts {
  const { jobs = [], batches = [], collections = [], rows = [] } = parts
  const selection = {
    jobs: [...new Set(jobs)],
    batches: [...new Set(batches)],
    collections: [...new Set(collections)],
    rows: [...new Map(rows.map((row) => [keyOfRow(row), row])).values()],
  }
  const chosen = Object.values(selection).reduce((sum, { length }) => sum + length, 0)
  const message =
    chosen === 0
      ? 'Nothing is chosen; name jobs, batches, collections or rows.'
      : `A selection has at most ${LIMITS.selectionMax} parts, and this one has ${chosen}; choose fewer.`
  if (chosen > 0 && chosen <= LIMITS.selectionMax) return selection
  throw new Problem('invalid_request', field === undefined ? { message } : { message, field })
}

/** Returns the problem of a selection that names what the account does not have. */
export function notOwned(what: string): Problem {
  return new Problem('not_found', { message: `Your account has no ${what}; check the id.` })
}

/** Returns the problem of a selection whose texts are all deleted. */
export function noneLeft(): Problem {
  const message = 'None of these has a text: nothing of them was delivered, or it is deleted.'
  return new Problem('not_found', { message })
}

/** Returns the problem of a selection with more texts than one request takes. */
export function tooManyTexts(): Problem {
  const most = counted(LIMITS.selectionTextsMax, 'text')
  return new Problem('invalid_request', {
    message: `These are more than ${most}; nothing was done. Choose fewer.`,
  })
}
