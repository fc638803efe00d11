/** What jobs are called: by what they are about, until their customer names them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer, database } = await sharedService({ after })
const { world } = platform
const small = world.channel('small')
const seven = world.playlist('seven')
const gone = (letter: string): string => `https://youtu.be/AAAAAAAAAA${letter}`
const CHANNEL = `https://www.youtube.com/${small.handle}`
const PLAYLIST = `https://www.youtube.com/playlist?list=${seven.playlistId}`

test('a job is called by the channel, playlist or video that it is about, and how many lines follow', async () => {
  const buyer = await customer('1')
  const video = world.uploads(world.channel('german'), 'video').at(0)
  const named: [urls: string[], title: string][] = [
    [[CHANNEL], small.title],
    [[PLAYLIST, CHANNEL], `${seven.title} and 1 more`],
    [[video.videoId], video.title],
    [['@nobody-is-called-so'], '@nobody-is-called-so'],
    [['https://youtu.be/AAAAAAAAAAA'], 'Video AAAAAAAAAAA'],
    // The first line that has a title names the job, of the first few.
    [[gone('B'), video.videoId], `${video.title} and 1 more`],
    [['@nobody-is-called-so', gone('C'), CHANNEL], `${small.title} and 2 more`],
    [[...['D', 'E', 'F', 'G', 'H'].map(gone), CHANNEL], 'Video AAAAAAAAAAD and 5 more'],
  ]
  for (const [urls, title] of named) {
    const { job } = await buyer.orders({ urls, maxVideos: urls.length })
    const found = await buyer.gets(`/jobs/${job['id']}?view=named`)
    assert.deepEqual([found['title'], found['name'], found['note']], [title, null, null])
  }
  const { jobs } = await buyer.gets('/jobs?view=named')
  assert.deepEqual(
    jobs.map((job: Json) => job['title']),
    named.map(([, title]) => title).toReversed(),
  )
})

test('a job is named and noted; what is left out stays, and what nobody sees takes away', async () => {
  const buyer = await customer('1')
  const { job } = await buyer.orders({ urls: [CHANNEL], maxVideos: 1 })
  const path = `/jobs/${job['id']}`
  const change = async (body: Json) => (await buyer.asks('PATCH', path, { body })).body
  const first = await change({ name: '  Chapter\n two ', note: 'Line one\r\nLine two\n' })
  assert.deepEqual(
    [first['title'], first['name'], first['note']],
    ['Chapter two', 'Chapter two', 'Line one\nLine two'],
  )
  const second = await change({ note: null })
  assert.deepEqual([second['name'], second['note']], ['Chapter two', null])
  const third = await change({ name: '\u200b \u2800' })
  assert.deepEqual([third['title'], third['name']], [small.title, null])
  for (const body of [
    { name: 'x'.repeat(121) },
    { note: 'x'.repeat(2_001) },
    { title: 'x' },
    { name: 1 },
  ]) {
    const refused = await buyer.asks('PATCH', path, { body })
    assert.equal(refused.status, 400, JSON.stringify(body).slice(0, 40))
  }
  const longest = await change({ name: '👩‍🚀'.repeat(40), note: '😀'.repeat(2_000) })
  assert.equal([...longest['note']].length, 2_000)
  const other = await customer('1')
  assert.equal((await other.asks('PATCH', path, { body: { name: 'theirs' } })).status, 404)
  const { rows } = await database.pool.query('select given_name from job where id = $1', [
    job['id'],
  ])
  assert.equal(rows[0].given_name, '👩‍🚀'.repeat(40))
})
