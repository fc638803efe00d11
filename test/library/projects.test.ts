/** Projects: collections of an account's own, of any videos that any of its orders delivered. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { keys, projectBuyer } from './project-buyer.ts'

const { world, buyer, orders, customer, database, sends, refused, fetched, delivered, makes } =
  await projectBuyer({ after })
const NOBODYS = `prj_${'0'.repeat(32)}`

test('a project is named, noted and tagged, changed and deleted, and its texts stay', async () => {
  const words = {
    name: '  Interviews \u202eon housing ',
    note: 'For\r\nchapter 3 ',
    tags: ['a', ' a', '\u200b'],
  }
  const made = await sends('POST', '/projects', words)
  assert.match(made['id'], /^prj_[0-9a-f]{32}$/)
  assert.deepEqual([made['note'], made['tags'], made['videos']], ['For\nchapter 3', ['a'], 0])
  assert.equal(made['name'].trim(), made['name'])
  const path = `/projects/${made['id']}`
  const changed = await sends('PATCH', path, { name: 'Häuser 🏠 שלום', tags: [] })
  assert.deepEqual(
    [changed['name'], changed['note'], changed['tags']],
    ['Häuser 🏠 שלום', 'For\nchapter 3', []],
  )
  assert.equal((await sends('PATCH', path, { note: ' ' }))['note'], null)
  assert.deepEqual((await sends('GET', path))['name'], changed['name'])
  assert.ok((await sends('GET', '/projects'))['projects'].some(({ id }: Json) => id === made['id']))
  await sends('POST', `${path}/videos`, { videos: keys(delivered(0)) })
  await sends('DELETE', path)
  for (const gone of [path, `/library/${made['id']}`])
    assert.equal((await refused('GET', gone))['status'], 404)
  const { jobId, index } = delivered(0)[0]!
  assert.equal((await fetched(`/jobs/${jobId}/files/${index}.txt`)).status, 200)
})

test('blank and overlong words, and bodies that name nothing or two things, are refused', async () => {
  const { id } = await makes('Limits')
  for (const name of ['', ' \u2800 ', 'x'.repeat(121)])
    assert.equal((await refused('POST', '/projects', { name }))['status'], 400)
  assert.equal(
    (await refused('PATCH', `/projects/${id}`, { tags: Array(21).fill('t') }))['status'],
    400,
  )
  assert.equal((await refused('PATCH', `/projects/${id}`, {}))['status'], 400)
  const videos = keys(delivered(0)).slice(0, 1)
  const bodies = [
    {},
    { videos, job: videos[0]!.jobId },
    { videos: [] },
    { videos: Array(501).fill(videos[0]) },
    { videos: [{ jobId: 'x', index: 1e308 }] },
    { videos: [{ jobId: 'x', index: 0 }] },
  ]
  for (const body of bodies.slice(0, 4))
    assert.equal((await refused('POST', `/projects/${id}/videos`, body))['status'], 400)
  assert.equal((await refused('POST', `/projects/${id}/videos`, bodies[5]))['status'], 400)
  // An index that no row can have is a row that the account has not.
  const huge = await sends('POST', `/projects/${id}/videos`, bodies[4])
  assert.deepEqual([huge['added'], huge['refusals']], [0, 1])
  assert.equal((await refused('POST', `/projects/${id}/videos`, { job: 'nobodys' }))['status'], 404)
  assert.equal(
    (await refused('POST', `/projects/${id}/videos`, { collection: NOBODYS }))['status'],
    404,
  )
})

test('videos of any orders are added once, and what was not delivered is refused with the reason', async () => {
  const { id } = await makes('Mixed')
  const path = `/projects/${id}/videos`
  const [one, two] = [delivered(0), delivered(1)]
  const failed = orders[0]!.rows.find(({ status }) => status !== 'success')!
  const missing = { jobId: one[0]!.jobId, index: failed['index'] }
  const first = await sends('POST', path, {
    videos: [...keys(one), ...keys(one), missing, { jobId: 'none', index: 1 }],
  })
  assert.deepEqual([first['added'], first['present'], first['refusals']], [one.length, 0, 2])
  assert.deepEqual(first['refused'], [
    { ...missing, reason: 'It has no transcript of yours.' },
    { jobId: 'none', index: 1, reason: 'Your account has no such row.' },
  ])
  const second = await sends('POST', path, { videos: keys([...one, ...two]) })
  assert.deepEqual(
    [second['added'], second['present'], second['refusals']],
    [two.length, one.length, 0],
  )
  assert.equal((await sends('GET', `/projects/${id}`))['videos'], one.length + two.length)

  const all = await makes('All')
  const whole = await sends('POST', `/projects/${all['id']}/videos`, { job: one[0]!.jobId })
  assert.equal(whole['added'], one.length)
  const collection = world.channel('german').channelId
  assert.equal(
    (await sends('POST', `/projects/${all['id']}/videos`, { collection }))['added'],
    two.length,
  )
  const copy = await makes('Copy')
  const word = two[0]!.row['title'].slice(0, 8)
  const some = await sends('POST', `/projects/${copy['id']}/videos`, { collection: id, q: word })
  assert.ok(some['added'] >= 1 && some['added'] <= one.length + two.length)
})

test('a video in two languages is two texts, also in one addition', async () => {
  const { videoId } = world.special('translated')
  const { videoId: other } = world.special('no-captions') // with it, the order is no repeat
  const videos = []
  for (const [language, urls] of [
    ['original', [videoId]],
    ['en', [videoId, other]],
  ]) {
    const { job, rows } = await buyer.orders({ urls, language })
    const row = rows.find(({ status }) => status === 'success')
    videos.push({ jobId: job['id'], index: row!['index'] })
  }
  const { id } = await makes('Two languages')
  assert.equal((await sends('POST', `/projects/${id}/videos`, { videos }))['added'], 2)
})

test('a video leaves a project, and its text stays in the library', async () => {
  const { id } = await makes('Shrinking')
  await sends('POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) })
  const { videoId } = delivered(0)[0]!.row as { videoId: string }
  await sends('DELETE', `/projects/${id}/videos/${videoId}`)
  assert.equal((await sends('GET', `/library/${id}`))['delivered'], delivered(0).length - 1)
  assert.equal((await refused('DELETE', `/projects/${id}/videos/${videoId}`))['status'], 404)
})

test('of another account nothing is seen, added or changed', async () => {
  const other = await customer('1')
  const { id } = await makes('Private')
  await sends('POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) })
  const asked: [string, string, Json?][] = [
    ['GET', `/projects/${id}`],
    ['PATCH', `/projects/${id}`, { name: 'Mine' }],
    ['DELETE', `/projects/${id}`],
    ['POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) }],
    ['DELETE', `/projects/${id}/videos/${delivered(0)[0]!.row['videoId']}`],
    ['GET', `/library/${id}`],
    ['GET', `/library/${id}/videos`],
    ['GET', `/library/${id}/files/zip`],
    ['GET', `/library/${id}/files/export.md`],
  ]
  for (const [method, path, body] of asked)
    assert.equal((await refused(method, path, body, other))['status'], 404, `${method} ${path}`)
  const own = await sends('POST', '/projects', { name: 'Theirs' }, other)
  const stolen = await sends(
    'POST',
    `/projects/${own['id']}/videos`,
    { videos: keys(delivered(0)) },
    other,
  )
  assert.deepEqual([stolen['added'], stolen['refusals']], [0, delivered(0).length])
  assert.equal(
    (await refused('POST', `/projects/${own['id']}/videos`, { collection: id }, other))['status'],
    404,
  )
  assert.equal((await sends('GET', '/projects', undefined, other))['total'], 1)
})

test('an account has at most 200 projects', async () => {
  const other = await customer('1')
  await database.pool.query(
    `insert into project (id, account_id, name)
      select 'prj_' || md5(n::text || account.id), account.id, 'n' from account, generate_series(1, 200) n
      where account.id = $1`,
    [other.accountId],
  )
  const { status, message } = await refused('POST', '/projects', { name: 'One more' }, other)
  assert.deepEqual(
    [status, message],
    [400, 'An account can have at most 200 projects; delete one that is no longer used.'],
  )
})
