/** `delete-texts WHAT`: shows what would go and, with `--yes`, deletes it. */
import type { DeletionOptions, Scriptorium } from '../../../typescript/src/index.ts'
import type { TextDeletion } from '../../../typescript/src/schema.ts'
import { EXIT, usageFailure } from '../failure.ts'
import { findCollection } from '../find-collection.ts'
import { type Command, connect, numberOption, printJson, type Shell } from '../shell.ts'
import { JOB_ID } from './project.ts'

const ROW = { min: 1, max: 2 ** 31 - 1 }

export const deleteTexts: Command = async (shell) => {
  const deletion = await deletionOf(shell, connect(shell))
  const going = await deletion({ dryRun: true })
  if (going === null) throw new Error('A dry run was answered without a body.')
  const isDeleted = shell.options['yes'] === true
  const left = isDeleted ? await deletion({}) : null
  if (shell.isJson) await printJson(shell, { isDeleted, ...going })
  else {
    await shell.terminal.data(`${wordsOf(going)}\n`)
    if (!isDeleted) shell.terminal.say('Nothing is deleted yet; add --yes to delete them.')
    else if (left !== null)
      shell.terminal.say(`${left.texts} are left, which the service deletes next`)
  }
  return EXIT.ok
}

type AskDeletion = (options: DeletionOptions) => Promise<TextDeletion | null>

async function deletionOf(shell: Shell, client: Scriptorium): Promise<AskDeletion> {
  const what = shell.words.join(' ')
  const index = numberOption(shell.options, 'video', ROW)
  if (JOB_ID.test(what))
    return (options) =>
      index === undefined
        ? client.jobs.deleteTexts(what, options)
        : client.jobs.deleteText(what, index, options)
  if (index !== undefined)
    throw usageFailure('--video is a row of a job', 'scriptorium delete-texts JOB --video 7')
  const id = await findCollection(client, what)
  return (options) => client.library.deleteTexts(id, options)
}

function wordsOf({ texts, videos, jobs, otherJobs, projects, otherTexts }: TextDeletion): string {
  const others = otherJobs === 0 ? '' : `, ${otherJobs} of them not named`
  const names = projects.map(({ name }) => `"${name}"`).join(', ')
  return [
    `texts     ${texts} of ${videos} videos`,
    `jobs      ${jobs} that brought them${others}`,
    ...(projects.length === 0 ? [] : [`projects  ${names}`]),
    ...(otherTexts === 0
      ? []
      : [`stay      ${otherTexts} of the same videos, of another language or kind`]),
  ].join('\n')
}
