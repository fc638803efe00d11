/** Trials: a visitor without an account reads the first minutes of a video, and nobody gets more than the bound. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sweepLists } from '../../src/features/jobs/lists.ts'
import { channelUrl, deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PER_HOUR = 6
const env = {
  TRIALS_PER_HOUR: String(PER_HOUR),
  TRUSTED_PROXIES: '127.0.0.1',
  WELCOME_CREDIT_USD: '0.08',
}
const service = await testService({ after }, { env })
const { address, platform, database } = service
const { world, log } = platform
const uploads = uploadsOf(world, world.channel('small'))
const videos = deliverable(uploads)

beforeEach(async () => {
  platform.clear()
  await database.pool.query('delete from preview; delete from rate_bucket')
  log.reset()
})

async function posts(video: string, from = '192.0.2.1', headers: Record<string, string> = {}) {
  const response = await fetch(`${address}/trial`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'X-Forwarded-For': from, ...headers },
    body: new URLSearchParams({ video }),
  })
  return {
    status: response.status,
    html: await response.text(),
    path: response.headers.get('location') ?? '',
    retrySeconds: Number(response.headers.get('retry-after')),
  }
}

/** Returns the page that the visitor reads in the end, after reloads like the page's own. */
async function reads(path: string): Promise<string> {
  let page = ''
  await until('it is read', async () => {
    const response = await fetch(`${address}${path}`)
    page = await response.text()
    assert.equal(response.status, 200, page)
    assert.match(String(response.headers.get('content-security-policy')), /^default-src 'none'; s/)
    return !page.includes('http-equiv="refresh" content="1"')
  })
  assert.doesNotMatch(page, /<script|style="| on\w+="/)
  return page
}

async function tries(video: string): Promise<string> {
  const { status, path, html } = await posts(video)
  assert.equal(status, 303, html)
  return reads(path)
}

const asked = (): number => log.counts().total

test('a visitor reads the first minutes of a real video, and whoever asks again costs nothing', async () => {
  const truth = uploads.find(({ videoId }) => videoId === videos[0])
  const first = await posts(`https://youtu.be/${truth?.videoId}?t=3`)
  const page = await reads(first.path)
  assert.ok(page.includes(truth?.tracks[0]?.segments[0]?.text.split(' ')[0] ?? '?'), page)
  assert.match(page, /of its [\d,]+ words, up to/)
  const address = `https://www.youtube.com/watch?v=${truth?.videoId}`
  assert.ok(page.includes(`<a href="${address}" rel="noreferrer">Watch the video</a>`))
  assert.match(page, /<a[^>]*&amp;t=\d+s"\s*>\d:\d\d</)
  assert.match(page, /<\/div>\s*<p class="keep">[^]{1,200}Save it free: create an account<\/a>/)
  assert.match(page, /10 free transcripts/)
  const before = asked()
  assert.ok(before > 0)
  assert.equal((await posts(truth?.videoId ?? '', '198.51.100.1')).path, first.path)
  assert.equal(asked(), before)
  const { rows } = await database.pool.query('select from ledger_entry')
  assert.equal(rows.length, 0, 'nobody is charged')
  const kept = await database.pool.query('select account_id, p::text as row from preview p')
  assert.deepEqual([kept.rows.length, kept.rows[0].account_id], [1, null])
  assert.doesNotMatch(kept.rows[0].row, /192\.0\.2|198\.51/, 'nothing of who asked')
  const id = first.path.replace('/trial/', '')
  assert.equal((await (await service.customer()).asks('GET', `/previews/${id}`)).status, 404)
})

test('of hours a page is kept, and a title stays text', async () => {
  assert.match(await tries(world.special('past-stream').videoId), /up to \d:\d\d:\d\d\./)
  const { rows } = await database.pool.query('select length(findings::text) as size from preview')
  assert.ok(rows[0].size < 20_000, `${rows[0].size} characters`)
  assert.doesNotMatch(await tries(world.special('title-html').videoId), /<h1[^>]*>[^<]*<(?!\/h1)/)
})

test('what is not to be had is said as it is, and that it costs nobody anything', async () => {
  const refused = await tries(world.special('private').videoId)
  assert.match(refused, /The video is private\./)
  assert.match(refused, /would have paid nothing/)
  platform.apply({ faults: [{ do: 'bot_check', per: 'all' }] })
  const blocked = await tries(videos[1] ?? '')
  assert.match(blocked, /says nothing about the video/)
  assert.match(blocked, /The platform blocked our requests; this says nothing about the video/)
  assert.doesNotMatch(blocked, /captions for this video|not a bot/, 'nor the platform’s own words')
  for (const [line, said] of [
    [channelUrl(world.channel('small')), /This is a channel/],
    ['https://example.com/', /<h1[^>]*>Not a video/],
    ['https://example.com/', /<p[^>]*>It is a link to another site\./],
    ['https://example.com/?a="1', /value="https:\/\/example\.com\/\?a=&quot;1" aria-invalid/],
    ['', /Not a video/],
    [`https://youtu.be/${videos[0]},https://youtu.be/${videos[1]}`, /more than one address/],
  ] as const) {
    const { status, html } = await posts(line)
    assert.equal(status, 400)
    assert.match(html, said)
  }
})

test('an obstacle is good for five minutes, a refusal for an hour; then the video is asked for anew, and counts', async () => {
  const refused = world.special('private').videoId
  const blocked = videos[1] ?? ''
  platform.apply({ faults: [{ do: 'bot_check', per: 'all' }] })
  await tries(blocked)
  platform.clear()
  await tries(refused)
  const pathsAfter = async (minutes: number): Promise<string[]> => {
    await database.pool.query(
      `update preview set counted_at = counted_at - interval '${minutes} minutes'`,
    )
    return [(await posts(blocked)).path, (await posts(refused)).path]
  }
  const [first, other] = await pathsAfter(4)
  assert.deepEqual(await pathsAfter(0), [first, other])
  const [second, same] = await pathsAfter(2)
  assert.notEqual(second, first)
  assert.equal(same, other)
  await reads(second ?? '')
  const [, third] = await pathsAfter(60)
  assert.notEqual(third, other)
  await reads(third ?? '')
  assert.equal((await database.pool.query('select from preview')).rows.length, 4)
})

test('neither one address nor many make the routes read more than the bound of the hour', async () => {
  const one = []
  for (const video of videos.slice(0, 9)) one.push(await posts(video, '2001:db8::1'))
  for (const video of videos.slice(9, 12)) one.push(await posts(video, '2001:db8::ffff:2'))
  assert.deepEqual(
    one.map(({ status }) => status),
    [303, 303, 303, 303, ...Array.from({ length: 8 }, () => 429)],
    'the /64 is one visitor',
  )
  assert.ok((one.at(-1)?.retrySeconds ?? 0) > 1_000)
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      posts(videos[4 + (at % 12)] ?? '', `198.51.100.${at}`, { Connection: 'close' }),
    ),
  )
  const full = many.filter(({ status }) => status === 429)
  assert.ok(
    full.length > 20 && full.every(({ html }) => html.includes('All free trials are taken')),
  )
  assert.ok(full.every(({ retrySeconds }) => retrySeconds > 3_000 && retrySeconds <= 3_600))
  const paths = new Set([...one, ...many].flatMap(({ path }) => (path === '' ? [] : [path])))
  assert.equal(paths.size, PER_HOUR)
  for (const path of paths) await reads(path)
  assert.equal(log.counts().byKind['player'], PER_HOUR)
  await database.pool.query("update preview set created_at = created_at - interval '1 hour'")
  assert.equal((await posts(videos[12] ?? '', '203.0.113.9')).status, 303, 'an hour later')
})

test('who is refused takes nothing from others of their network, and a network that rents many is one visitor', async () => {
  for (let at = 0; at < PER_HOUR; at += 1)
    assert.equal((await posts(videos[at] ?? '', `198.51.${at}.1`)).status, 303)
  const refused = []
  for (let at = 0; at < 6; at += 1) refused.push(await posts(videos[10] ?? ''))
  assert.ok(refused.every(({ html }) => html.includes('All free trials are taken')))
  await database.pool.query("update preview set created_at = created_at - interval '1 hour'")
  const wide = []
  for (let at = 0; at < 10; at += 1) {
    if (at === 5)
      await database.pool.query("update preview set created_at = now() - interval '2 hours'")
    wide.push(await posts(videos[10 + at] ?? '', `2001:db8:7:${at}::1`))
  }
  assert.deepEqual(
    wide.map(({ status }) => status),
    [...Array.from({ length: 8 }, () => 303), 429, 429],
    'a /48 of IPv6 is no more than two networks',
  )
  assert.ok(wide.at(-1)?.html.includes('Your network has used up its free trials'))
  await database.pool.query("update preview set created_at = now() - interval '2 hours'")
  assert.equal((await posts(videos[20] ?? '')).status, 303, 'who was refused above lost nothing')
  const { rows } = await database.pool.query(
    "select id from rate_bucket where id = 'trial:2001:db8:7:9::/64'",
  )
  assert.deepEqual(rows, [], 'the refusal of the wider network took nothing from the smaller one')
  await until('all are read', async () => {
    const left = await database.pool.query("select from preview where state = 'listing'")
    return left.rows.length === 0
  })
})

test('it is kept for a day, and another site cannot use up what its visitors may try', async () => {
  const { path } = await posts(videos[0] ?? '')
  await reads(path)
  await database.pool.query('update preview set expires_at = now()')
  assert.equal((await fetch(`${address}${path}`)).status, 404)
  await sweepLists(database.db)
  assert.equal((await database.pool.query('select from preview')).rows.length, 0)
  const foreign = await posts(videos[0] ?? '', '192.0.2.1', { 'Sec-Fetch-Site': 'cross-site' })
  assert.equal(foreign.status, 403)
})

test('switched off, there is neither the box nor the address', async () => {
  const off = await service.another({ ROLES: 'api', TRIALS_PER_HOUR: '0' })
  const page = await (await fetch(`${off.address}/welcome`)).text()
  assert.match(page, /every word of a channel/)
  assert.ok(!page.includes('/trial'))
  const body = new URLSearchParams({ video: videos[0] ?? '' })
  assert.equal((await fetch(`${off.address}/trial`, { method: 'POST', body })).status, 404)
  assert.ok((await (await fetch(`${address}/welcome`)).text()).includes('action="/trial"'))
})

test('where the routes rest nothing is asked; what nobody reads in time says so', async () => {
  platform.apply({ faults: [{ do: 'too_many', retryAfterS: 60 }] })
  assert.match(await tries(videos[0] ?? ''), /Not read this time/)
  platform.clear()
  const before = asked()
  assert.ok(before > 0)
  assert.match(await tries(videos[1] ?? ''), /Not read this time/)
  assert.equal(asked(), before)

  const id = `trl_${'0'.repeat(32)}`
  await database.pool.query(
    `insert into preview (id, request_hash, url_set_hash, urls, language, formats, max_videos, requested_max_videos,
      notices, ends_at, expires_at)
      values ($1, 'x', 'x', '{AAAAAAAAAAA}', 'original', '{}', 1, 1, '{}', now(), now() + interval '1 day')`,
    [id],
  )
  assert.match(await reads(`/trial/${id}`), /could not be read in time/)
})
