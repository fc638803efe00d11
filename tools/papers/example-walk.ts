/** What the customer of the recorded examples does, in order, as a reader would. */
import type { Json } from '../conformance/http.ts'
import { asr } from '../../emulator/track-sets.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { untilQuiet } from '../../test/following/time.ts'
import { until } from '../../test/support/until.ts'
import { BEGUN_MS } from './steady.ts'
import type { Walker } from './walker.ts'

/** A name of Quick Clips, whose owner on the platform itself has one video: examples are copied. */
const CLIPS = 'https://www.youtube.com/@jawed'
const A_CHANNEL = { urls: [CLIPS], maxVideos: 20 }
const WORKSHOP = 'https://www.youtube.com/@smallworkshop'
const SHORT = 'https://www.youtube.com/shorts/HeBlAq-xIwI'
/** Clips of that channel, of which the first has no captions. */
const FOUR_CLIPS = `https://www.youtube.com/shorts/xFcKCy6snHQ
https://youtu.be/gU-QpquOtSI
https://youtu.be/CoM5v3AHSzo
https://youtu.be/WWP0FxQ6Fi8`
/** Together with what the first order leaves: $10. */
const CREDIT_MICROS = 9_992_000n

/** Walks through the API. Each answer is the same in every recording, since jobs wait while it is asked for. */
export async function walk(walker: Walker): Promise<void> {
  // Samples of code show the first example; this order is sent later.
  walker.keep('createJob', 'channel: The newest 20 videos of a channel', A_CHANNEL)
  const clips = await ordersClips(walker)
  await cancels(walker)
  const short = await isTold(walker)
  await ordersBatch(walker)
  const collection = await reads(walker, { clips, short })
  await collects(walker, { jobId: clips, collection })
  await follows(walker)
  await previews(walker)
}

/** An order of more than the balance covers: while it runs, to its end, and what it brought. */
async function ordersClips(walker: Walker): Promise<string> {
  const { ask, customer, goesOn } = walker
  holdTexts(walker, 1)
  const bounds = { maxVideos: 4, publishedAfter: '2025-01-01' }
  const headers = { 'Idempotency-Key': 'clips' }
  const order = { headers, body: { urls: FOUR_CLIPS, formats: ['text', 'srt'], ...bounds } }
  const asked = 'lines: Several lines in one string, with bounds'
  const started = 'started: Started; the balance covers fewer videos than requested'
  const { id } = await ask('createJob', { ...order, asked, told: started })
  await untilAt(walker, `/jobs/${id}`, ({ progress }) => progress.processed === 3)
  await ask('getJob', { id, told: 'running: While it runs' })
  const replayed = 'replayed: The job of the same Idempotency-Key, as it is now'
  await ask('createJob', { ...order, told: replayed })
  await goesOn()
  await customer.waitsFor({ id })
  await ask('followJob', { id, told: 'events: All events of a job that is final' })
  await ask('getJob', { id, told: 'finished: Final and settled' })
  const body = { name: 'Clips of this winter', note: 'For chapter two' }
  const naming = { asked: 'words: A name and a note', told: 'named: Named and noted' }
  await ask('changeJob', { id, body, ...naming })
  await ask('cancelJob', { id, told: 'finished: The job was already final' })
  await ask('listJobs', { told: 'page: The only page' })
  const page = 'page: A video without captions and a delivered one'
  await ask('getResults', { id, query: '?limit=2', told: page })
  return id
}

async function cancels(walker: Walker): Promise<void> {
  const { ask, customer, service, goesOn } = walker
  const credit = {
    accountId: customer.accountId,
    micros: CREDIT_MICROS,
    reference: 'examples',
    reason: null,
  }
  await transact(service.database.db, (tx) => addCredit(tx, credit))
  await ask('getBalance', { told: 'balance: Credit for 1,250 transcripts' })
  holdAll(walker)
  const { id } = await ask('createJob', { body: A_CHANNEL })
  await untilAt(walker, `/jobs/${id}`, ({ state }) => state === 'running')
  await ask('cancelJob', { id, told: 'cancelling: Its worker was asked to stop' })
  await goesOn()
  await customer.waitsFor({ id })
}

/** A webhook, its secrets and a test; then a job, of which it is told. */
async function isTold(walker: Walker): Promise<string> {
  const { ask, receiver, goesOn } = walker
  const { url } = receiver
  const asked = 'all: Told of every final job'
  const made = await ask('createWebhook', { body: { url }, asked, told: 'With its secret' })
  const { id } = made
  const untilSent = (count: number): Promise<void> =>
    untilAt(walker, `/webhooks/${id}/deliveries`, ({ deliveries }) => {
      return receiver.received.length === count && deliveries[0].state === 'delivered'
    })
  await ask('getWebhook', { id, told: 'Active' })
  await ask('listWebhooks', { told: 'The only one' })
  await ask('rotateWebhookSecret', { id, told: 'Two secrets sign for a day' })
  await ask('testWebhook', { id, told: 'Due at once' })
  await untilSent(1)
  holdTexts(walker, 0)
  const job = await ask('createJob', { body: { urls: [SHORT], maxVideos: 1 } })
  await untilAt(walker, `/jobs/${job['id']}`, ({ state }) => state === 'running')
  await goesOn()
  await untilSent(2)
  const newest = { id, query: '?limit=1', told: 'Delivered at the first attempt' }
  const { deliveries } = await ask('listDeliveries', newest)
  await ask('replayDelivery', { id, deliveryId: deliveries[0].id, told: 'Due again' })
  await untilSent(3)
  const since = { body: { since: made['createdAt'] }, asked: 'since: Since the webhook was made' }
  await ask('replayDeliveries', { id, ...since, told: 'The only one' })
  await untilSent(4)
  const events = ['job.finished']
  const told = 'Told of finished jobs only'
  await ask('changeWebhook', { id, body: { events }, asked: 'events: Finished jobs only', told })
  await ask('changeWebhook', { id, body: { state: 'active' }, asked: 'enable: Switch it on again' })
  await ask('deleteWebhook', { id })
  const some = { body: { url, events }, asked: 'some: Of finished ones only' }
  await ask('deleteWebhook', await ask('createWebhook', some))
  const more = { url, events: [...events, 'subscription.found', 'subscription.gone'] }
  const following = { body: more, asked: 'following: Of what is followed, too' }
  await ask('deleteWebhook', await ask('createWebhook', following))
  return job['id']
}

async function ordersBatch(walker: Walker): Promise<void> {
  const { ask, service, goesOn } = walker
  holdTexts(walker, 5)
  const body = { urls: [CLIPS], maxVideos: 1_200, name: 'All of Quick Clips' }
  const asked = 'A whole channel'
  const { id } = await ask('createBatch', { body, asked, told: 'Its first job starts in a moment' })
  await untilAt(walker, `/batches/${id}`, ({ progress }) => progress.delivered === 5)
  await ask('createBatch', { body, told: 'It runs already' })
  await ask('getBatch', { id, told: 'Its first job runs' })
  await ask('listBatches', { told: 'The only one' })
  const stop = { id, body: { state: 'stopped' } }
  await ask('changeBatch', { ...stop, asked: 'Stop it' })
  await goesOn()
  await untilQuiet(service)
  await ask('changeBatch', { ...stop, told: 'Stopped' })
}

async function reads(
  walker: Walker,
  { clips, short }: { clips: string; short: string },
): Promise<string> {
  const { ask, keep } = walker
  await untilAt(walker, '/search?q=letters', ({ indexed, owned }) => indexed === owned)
  const query = '?q=letters&limit=1'
  await ask('search', { query, told: 'page: The first of the videos in which a word is said' })
  await ask('listMentions', { query, told: 'The first of all mentions' })
  const { collections } = await ask('listCollections', { told: 'Two channels' })
  const { id } = collections.find(({ title }: Json) => title === 'Quick Clips')
  await ask('getCollection', { id, told: 'With the rest still to fetch' })
  const one = { id, query: '?status=success&limit=1', told: 'The newest transcript' }
  await ask('listLibraryVideos', one)
  await ask('getJobVideo', { id: clips, index: '2', told: 'A delivered video' })
  const words = { id: short, index: '1' }
  await ask('getWords', { ...words, told: 'Of automatic captions' })
  await ask('getWords', { ...words, headers: { Range: 'bytes=0-23' }, told: 'The first bytes' })
  const { openapi } = await ask('getOpenApi', {})
  keep('getOpenApi 200', 'document: How it begins', { openapi })
  return id
}

async function collects(
  { ask, keep }: Walker,
  { jobId, collection }: { jobId: string; collection: string },
): Promise<void> {
  const words = { name: 'Interviews on housing', note: 'For chapter 3', tags: ['housing'] }
  const asked = 'words: With a note and a tag'
  const { id } = await ask('createProject', { body: words, asked, told: 'Still empty' })
  const two = { videos: [1, 2].map((index) => ({ jobId, index })) }
  const some = { body: two, asked: 'videos: Two videos of a job' }
  await ask('addToProject', { id, ...some, told: 'One of two was not delivered' })
  const all = { body: { collection }, asked: 'collection: All transcripts of a channel' }
  await ask('addToProject', { id, ...all })
  const several = { body: { jobs: [jobId], collections: [collection] } }
  await ask('addToProject', { id, ...several, asked: 'several: All of a job and of a channel' })
  await ask('getProject', { id, told: 'With the transcripts of a channel' })
  const name = { body: { name: 'Voices on housing' }, asked: 'name: Another name' }
  await ask('changeProject', { id, ...name, told: 'Renamed' })
  await ask('listProjects', { told: 'The only one' })
  const would = { query: '?dryRun=true', told: 'What would go' }
  await ask('deleteText', { id: jobId, index: 2, ...would })
  await ask('deleteJobTexts', { id: jobId, ...would })
  const chosen = { query: `?jobs=${jobId}&collections=${collection}&dryRun=true` }
  await ask('deleteSelectionTexts', { ...chosen, told: 'What would go' })
  // Only what takes longer than a request leaves anything.
  const left = 'What is left of many texts'
  keep(
    'deleteCollectionTexts 202',
    left,
    await ask('deleteCollectionTexts', { id: collection, ...would }),
  )
  const query = '?texts=true&dryRun=true'
  keep('deleteProject 202', left, await ask('deleteProject', { id, query, told: 'With its texts' }))
}

async function follows({ ask, service, step }: Walker): Promise<void> {
  const { database, platform } = service
  const body = { url: WORKSHOP, monthlyCap: '2.50' }
  const asked = 'fromNowOn: From now on'
  const { id } = await ask('createSubscription', { body, asked, told: 'Checked in a moment' })
  await untilQuiet(service)
  await step()
  const fresh = { tracks: [asr('en')], publishedMs: BEGUN_MS - 1 }
  platform.world.publish(platform.world.channel('small'), fresh)
  await database.pool.query('update subscription set next_look_at = now()')
  await database.pool.query('notify scriptorium_look')
  await untilQuiet(service)
  await ask('getSubscription', { id, told: 'A new video was bought' })
  await ask('listSubscriptions', { told: 'The only one' })
  const pause = { body: { state: 'paused' }, asked: 'pause: Pause' }
  await ask('changeSubscription', { id, ...pause, told: 'Paused' })
  await ask('changeSubscription', { id, body: { monthlyCap: '5' }, asked: 'cap: Another limit' })
  const much = { url: CLIPS, monthlyCap: '2.50', backlog: 10, everyHours: 6, formats: ['text'] }
  const other = await ask('createSubscription', { body: much, asked: 'backlog: And the last ten' })
  await untilQuiet(service)
  for (const one of [id, other['id']]) await ask('deleteSubscription', { id: one })
}

/** The last part, since the service leaves a platform in peace that has told it so. */
async function previews(walker: Walker): Promise<void> {
  const { ask, service, goesOn } = walker
  const body = { urls: ['https://youtu.be/gU-QpquOtSI', 'https://www.youtube.com/@longformonly'] }
  holdAll(walker)
  const asked = 'lines: A video and a channel'
  const told = 'listing: Nothing is known yet'
  const { id } = await ask('createPreview', { body, asked, told })
  await goesOn()
  await untilAt(walker, `/previews/${id}`, ({ state }) => state === 'ready')
  await ask('getPreview', { id, told: 'ready: The video is owned already' })
  const headers = { Prefer: 'wait=10' }
  const ready = 'ready: Ready at once, or within the wait that was preferred'
  await ask('createPreview', { body, headers, told: ready })
  service.platform.apply({ faults: [{ do: 'too_many', on: 'browse' }] })
  const other = { urls: ['https://www.youtube.com/@nightstream'] }
  const blocked = await ask('createPreview', { body: other, headers: { Prefer: 'wait=30' } })
  const what = 'blocked: A list that could not be read is not an empty one'
  await ask('getPreview', { id: blocked['id'], told: what })
  await goesOn()
}

/** Lets so many captions come; whoever asks for another one waits until it goes on. */
function holdTexts({ service }: Walker, after: number): void {
  service.platform.apply({ faults: [{ do: 'hold', on: 'timedtext', per: 'all', after }] })
}

function holdAll({ service }: Walker): void {
  service.platform.apply({ faults: [{ do: 'hold' }] })
}

/** Waits until what is at a path is as far, without a step. */
async function untilAt({ customer }: Walker, path: string, isSo: (one: Json) => boolean) {
  await until(path, async () => isSo(await customer.gets(path)))
}
