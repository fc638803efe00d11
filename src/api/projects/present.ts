/** Projects as the API shows our records of them, and what is asked to be added to one. */
import type { Static } from 'typebox'
import type { ProjectAddition } from '../../features/library/projects.ts'
import { type ChosenParts, selectionOf } from '../../model/library/selection.ts'
import { Problem } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import type { Project } from '../../model/library/project.ts'
import { ProjectVideosBody, ProjectSchema } from './schema.ts'

/** Returns what a body asks to add. Throws the Problem of one that names nothing, or several things. */
export function additionOf(
  body: Static<typeof ProjectVideosBody>,
): ProjectAddition | { selection: ChosenParts } {
  const { videos, job, batch, collection, q = '', language = null } = body
  const { jobs, batches, collections } = body
  const isSelection = (jobs ?? batches ?? collections) !== undefined
  const [addition, ...others] = [
    ...(videos === undefined || isSelection ? [] : [{ videos }]),
    ...(job === undefined ? [] : [{ jobId: job }]),
    ...(batch === undefined ? [] : [{ batchId: batch }]),
    ...(collection === undefined
      ? []
      : [{ collectionId: collection, title: hasVisible(q) ? q : null, language }]),
    ...(isSelection
      ? [{ selection: selectionOf({ jobs, batches, collections, rows: videos }, 'videos') }]
      : []),
  ]
  if (isSelection && (hasVisible(q) || language !== null))
    throw new Problem('invalid_request', {
      message: 'q and language choose of one collection; name it as collection.',
      field: hasVisible(q) ? 'q' : 'language',
    })
  if (addition === undefined || others.length > 0)
    throw new Problem('invalid_request', {
      message:
        'Say what to add: exactly one of videos, job, batch or collection, or lists of several.',
      field: 'videos',
    })
  return addition
}

export function presentProject(project: Project): Static<typeof ProjectSchema> {
  const { id, name, note, tags, videos, createdAt, changedAt } = project
  const times = { createdAt: createdAt.toISOString(), changedAt: changedAt.toISOString() }
  return { id, name, note, tags, videos, ...times }
}
