/** Cancelling answers the state that it left, however soon a worker goes on from there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uploadsOf } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { platform, customer, database } = await testService({ after })
const { world } = platform
const VIDEOS = uploadsOf(world, world.channel('medium')).map(({ videoId }) => videoId)

/** A job that is asked to end has gone on by the time that this is seen: no worker could be quicker. */
const QUICK_WORKER = `
  create function go_on() returns trigger language plpgsql as $$
  begin
    update job set state = 'running' where id = new.id;
    return null;
  end $$;
  create constraint trigger go_on after update on job deferrable initially deferred
    for each row when (new.state = 'cancelling') execute function go_on()`

test('a job and a batch that are stopped answer `cancelling`, whatever their worker does next', async () => {
  const buyer = await customer('10')
  holdAfter(platform, 5)
  const job = await buyer.startsJob({ urls: VIDEOS.slice(0, 20) })
  const made = await buyer.asks('POST', '/batches', { body: { urls: VIDEOS.slice(20, 80) } })
  const path = `/batches/${made.body['id']}`
  await until('both run', async () => {
    const [ofBatch] = (await buyer.gets(path))['jobs']
    return (
      ofBatch?.state === 'running' &&
      (await buyer.gets(`/jobs/${job['id']}`))['state'] === 'running'
    )
  })
  await database.pool.query(QUICK_WORKER)
  const stopped = await buyer.asks('PATCH', path, { body: { state: 'stopped' } })
  const cancelled = await buyer.asks('POST', `/jobs/${job['id']}/cancel`)
  await database.pool.query('drop function go_on cascade')
  assert.deepEqual(
    [stopped.body['state'], stopped.body['jobs'][0].state, cancelled.body['state']],
    ['stopped', 'cancelling', 'cancelling'],
  )
  await buyer.asks('POST', `/jobs/${job['id']}/cancel`)
  await buyer.asks('POST', `/jobs/${stopped.body['jobs'][0].id}/cancel`)
})
