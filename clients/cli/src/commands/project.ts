/** `project`, `project new NAME`, `project add NAME --from WHAT`, `project remove NAME`: collections of one's own. */
import type { Project, ProjectVideos, Scriptorium } from '../../../typescript/src/index.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { findCollection, findProjects } from '../find-collection.ts'
import { type Command, connect, printJson, type Shell, textOption } from '../shell.ts'
import { tableOf } from '../table.ts'

const PROJECTS_PAGE = 200
/** Matches the id of a job, which no channel, playlist or title has. */
export const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BATCH_ID = /^batch_[0-9a-f]{32}$/

export const project: Command = async (shell) => {
  const client = connect(shell)
  const [act, ...words] = shell.words
  const name = words.join(' ')
  if (act === undefined) await printProjects(shell, client)
  else if (name === '')
    throw usageFailure(`project ${act} needs a name`, 'scriptorium project new NAME')
  else if (act === 'new') await tell(shell, await client.projects.create({ name }))
  else if (act === 'add') await add(shell, client, name)
  else if (act === 'remove') {
    const found = await findProject(client, name)
    await client.projects.remove(found.id)
    await tell(shell, found)
  } else throw usageFailure(`project has no "${act}"`, 'project new, project add, project remove')
  return EXIT.ok
}

async function printProjects(shell: Shell, client: Scriptorium): Promise<void> {
  const { projects } = await client.projects.list({ limit: PROJECTS_PAGE })
  if (shell.isJson) return printJson(shell, { projects })
  if (projects.length === 0) shell.terminal.say('No projects')
  const rows = projects.map(({ id, videos, name }) => [id, String(videos), name])
  await shell.terminal.data(tableOf(rows, shell.terminal))
}

async function tell(shell: Shell, made: Project): Promise<void> {
  if (shell.isJson) return printJson(shell, made)
  await shell.terminal.data(tableOf([[made.id, String(made.videos), made.name]], shell.terminal))
}

async function add(shell: Shell, client: Scriptorium, name: string): Promise<void> {
  const from = textOption(shell.options, 'from')
  if (from === undefined)
    throw usageFailure('project add needs --from', 'scriptorium project add NAME --from @channel')
  const { id } = await findProject(client, name)
  const added = await client.projects.add(id, await videosFrom(client, from))
  if (shell.isJson) return printJson(shell, added)
  const { added: came, present, refusals } = added
  shell.terminal.say(`${came} added, ${present} already there, ${refusals} without a text`)
}

async function videosFrom(client: Scriptorium, from: string): Promise<ProjectVideos> {
  if (JOB_ID.test(from)) return { job: from }
  if (BATCH_ID.test(from)) return { batch: from }
  return { collection: await findCollection(client, from) }
}

async function findProject(client: Scriptorium, name: string): Promise<Project> {
  const found = await findProjects(client, name)
  const [first, ...others] = found
  if (first === undefined)
    throw new Failure(`you have no project "${name}"`, {
      exit: EXIT.error,
      code: 'not_found',
      hint: 'scriptorium project lists all of them',
    })
  if (others.length > 0)
    throw usageFailure(
      `"${name}" is ${found.length} of your projects`,
      `take one of these IDs: ${found.map(({ id }) => id).join(', ')}`,
    )
  return first
}
