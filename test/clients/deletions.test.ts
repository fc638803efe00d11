/** Both clients delete texts by row, job, collection and project, and tell before what would go. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { InvalidRequestError, Scriptorium } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { sharedService } from '../support/shared-service.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../clients/python')
const CHANNEL = 'https://www.youtube.com/@smallworkshop'
/** Prints what the test below sees, as JSON. */
const PROGRAM = `
import json, sys
import scriptorium_client as sc
client = sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2])
jobs, library, projects = client.jobs, client.library, client.projects
job, index, channel, project = sys.argv[3], int(sys.argv[4]), sys.argv[5], sys.argv[6]
print(json.dumps([
    [going and going["texts"] for going in (
        jobs.delete_text(job, index, dry_run=True),
        jobs.delete_texts(job, dry_run=True),
        library.delete_texts(channel, dry_run=True),
        projects.remove(project, with_texts=True, dry_run=True),
    )],
    jobs.delete_text(job, index),
    jobs.delete_texts(job, dry_run=True)["texts"],
    projects.remove(project, with_texts=True),
    jobs.delete_texts(job, dry_run=True)["texts"],
    jobs.delete_texts(job),
    library.delete_texts(channel),
]))
`

const { address, customer } = await sharedService({ after })

/** Buys texts of a channel, all of which stand in a project, too. */
async function bought() {
  const { apiKey } = await customer('1')
  const client = new Scriptorium({ apiKey, baseUrl: address })
  const { id } = await client.jobs.start({ urls: CHANNEL, maxVideos: 4 })
  const { progress } = await client.jobs.wait(id)
  const { videos } = await client.jobs.resultsPage(id, { status: 'success' })
  const { index } = videos[0]!
  const { channelId } = await client.library.video(id, index)
  const project = await client.projects.create({ name: 'all of it' })
  await client.projects.add(project.id, { job: id })
  const count = progress.delivered
  assert.ok(count > 1)
  return { apiKey, client, id, index, channelId: channelId!, project: project.id, count }
}

/** Counts in turn: of what would go, and after each deletion of what is left of the job. */
const seenOf = (count: number): unknown => [
  [1, count, count, count],
  null,
  count - 1,
  null,
  0,
  null,
  null,
]

test('the TypeScript client deletes texts, and nothing by a misspelled dry run', async () => {
  const { client, id, index, channelId, project, count } = await bought()
  const { jobs, library, projects } = client
  // @ts-expect-error there is no such option
  await assert.rejects(jobs.deleteTexts(id, { dryrun: true }), InvalidRequestError)
  const dryRun = { dryRun: true }
  const plans = [
    await jobs.deleteText(id, index, dryRun),
    await jobs.deleteTexts(id, dryRun),
    await library.deleteTexts(channelId, dryRun),
    await projects.remove(project, { ...dryRun, withTexts: true }),
  ]
  const seen = [
    plans.map((going) => going?.texts),
    await jobs.deleteText(id, index),
    (await jobs.deleteTexts(id, dryRun))?.texts,
    await projects.remove(project, { withTexts: true }),
    (await jobs.deleteTexts(id, dryRun))?.texts,
    await jobs.deleteTexts(id),
    await library.deleteTexts(channelId),
  ]
  assert.deepEqual(seen, seenOf(count))
})

test('so does the Python client', needs('python3'), async () => {
  const { apiKey, id, index, channelId, project, count } = await bought()
  const args = ['-c', PROGRAM, apiKey, address, id, String(index), channelId, project]
  const { stdout } = await promisify(execFile)('python3', args, {
    env: { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
  })
  assert.deepEqual(JSON.parse(stdout), seenOf(count))
})
