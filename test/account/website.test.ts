/** How the built site is served: policy, caching, names, and the API without it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fastify } from 'fastify'
import { openWebsite } from '../../src/api/landing/website.ts'
import { precompress } from '../../web/precompress.ts'
import { siteAddresses } from '../support/site-addresses.ts'

const PAGE = '<!doctype html><title>Scriptorium</title>'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'))
after(() => fs.rmSync(folder, { recursive: true }))
fs.mkdirSync(path.join(folder, 'assets'))
fs.writeFileSync(path.join(folder, 'index.html'), PAGE)
fs.writeFileSync(path.join(folder, 'assets/index-abc.js'), 'export const a = 1\n'.repeat(400))
fs.writeFileSync(path.join(folder, 'assets/letters.woff2'), 'letters')
precompress(folder)

/** Returns every address that the site's router knows, with a value for each parameter. */
function drawnAddresses(): string[] {
  // The server writes the first page itself: landing.test.ts.
  const drawn = siteAddresses().filter((address) => address !== '/')
  return drawn.map((address) =>
    address.replace('/webhooks/$id', '/webhooks/whk_1').replace(/\$\w+/g, '0190-x'),
  )
}

const DOCUMENTS = { '/docs': { link: '</docs.md>; rel="alternate"', markdown: () => '# API' } }

async function serve(publicUrl: string, from: string) {
  const app = fastify()
  const site = await openWebsite(app, publicUrl, { folder: from, documents: DOCUMENTS })
  app.setNotFoundHandler(
    (request, reply) =>
      site.answerUnknown(request, reply) ?? reply.code(404).send({ error: 'none' }),
  )
  after(() => app.close())
  return app
}
const app = await serve('https://texts.example', folder)
const HTML = { accept: 'text/html' }

test('every page of the site is the one page, never kept and under a strict policy', async () => {
  for (const url of drawnAddresses()) {
    const { statusCode, body, headers } = await app.inject({ url, headers: HTML })
    assert.deepEqual([statusCode, body, headers['cache-control']], [200, PAGE, 'no-store'], url)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/)
    // Only stills of videos, and the player that a click loads, come from elsewhere.
    const own = policy
      .replace(' https://i.ytimg.com;', ';')
      .replace('frame-src https://www.youtube-nocookie.com;', '')
    assert.doesNotMatch(own, /unsafe|https?:|\*/)
    assert.deepEqual(
      [headers['x-content-type-options'], headers['referrer-policy']],
      ['nosniff', 'no-referrer'],
    )
  }
})

test('a page with a document says where it is, and is it for those who ask for Markdown', async () => {
  const page = await app.inject({ url: '/docs', headers: HTML })
  const markdown = await app.inject({ url: '/docs', headers: { accept: 'text/markdown, */*' } })
  assert.deepEqual([page.body, markdown.body], [PAGE, '# API'])
  assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
  for (const { headers } of [page, markdown])
    assert.deepEqual(
      [headers.link, headers.vary],
      [DOCUMENTS['/docs'].link, 'Accept, Accept-Encoding'],
    )
  const other = await app.inject({ url: '/jobs', headers: { accept: 'text/markdown' } })
  assert.deepEqual([other.body, other.headers.link], [PAGE, undefined])
})

test('a file with a hash in its name is kept for ever and sent compressed', async () => {
  const url = '/assets/index-abc.js'
  const { headers, rawPayload } = await app.inject({
    url,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  assert.match(String(headers['cache-control']), /immutable/)
  assert.equal(headers['content-encoding'], 'br')
  assert.ok(rawPayload.length < 200)
  const again = await app.inject({
    url,
    headers: { 'accept-encoding': 'gzip, br', 'if-none-match': String(headers.etag) },
  })
  assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
})

test('a file is sent in an encoding the client takes, and never in one it refuses', async () => {
  const cases: [accepted: string | undefined, encoding: string | undefined][] = [
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0, br;q=0, *', undefined],
    ['*', 'br'],
    ['abr, xgzip', undefined],
    ['identity', undefined],
    [undefined, undefined],
  ]
  for (const [accepted, encoding] of cases) {
    const { headers } = await app.inject({
      url: '/assets/index-abc.js',
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })
    assert.equal(headers['content-encoding'], encoding, accepted)
    assert.match(String(headers['vary']), /accept-encoding/i)
    assert.match(String(headers['content-type']), /javascript; charset=utf-8$/)
  }
  const font = await app.inject({
    url: '/assets/letters.woff2',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  assert.deepEqual(
    [font.headers['content-encoding'], font.headers['content-type'], font.body],
    [undefined, 'font/woff2', 'letters'],
  )
})

test('If-None-Match is a list, compared weakly', async () => {
  const url = '/assets/index-abc.js'
  const tag = String((await app.inject({ url })).headers.etag)
  const strong = tag.replace(/^W\//, '')
  for (const [match, status] of [
    [`"other", ${tag}`, 304],
    [strong, 304],
    [`W/${strong}`, 304],
    [`"other" , W/${strong}, "third"`, 304],
    ['*', 304],
    ['"other"', 200],
    ['W/"other", "third"', 200],
  ] as const) {
    const { statusCode } = await app.inject({ url, headers: { 'if-none-match': match } })
    assert.equal(statusCode, status, match)
  }
  const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
  assert.notEqual(headers.etag, tag, 'each encoding has its own tag')
})

test('what is compressed beside a file has no address of its own', async () => {
  for (const url of [
    '/assets/index-abc.js.br',
    '/assets/a-abcd_-12.js.br',
    '/index.html.gz',
    '/index.html',
  ])
    assert.equal((await app.inject({ url })).statusCode, 404, url)
})

test('a file of another release is looked for in other processes, some times', async () => {
  const before = fs.mkdtempSync(path.join(os.tmpdir(), 'site-before-'))
  after(() => fs.rmSync(before, { recursive: true }))
  fs.cpSync(folder, before, { recursive: true })
  fs.writeFileSync(path.join(before, 'assets/before-abcd_-12.js'), 'export const b = 1\n')
  const processes = [app, app, app, await serve('https://texts.example', before)]
  const asked: string[] = []
  const load = async (name: string) => {
    for (let url = `/assets/${name}`, turn = 0; ; turn += 1) {
      asked.push(url)
      const answer = await processes[turn % processes.length]!.inject({ url, headers: HTML })
      if (answer.statusCode !== 307) return answer
      assert.equal(answer.headers['cache-control'], 'no-store')
      url = String(answer.headers.location)
    }
  }
  const found = await load('before-abcd_-12.js')
  assert.deepEqual([found.statusCode, found.body], [200, 'export const b = 1\n'])
  assert.deepEqual(
    asked.splice(0).slice(-2),
    [2, 3].map((n) => `/assets/before-abcd_-12.js?sentOn=${n}`),
  )

  const gone = await load('gone-abcd_-12.js')
  assert.deepEqual(
    [gone.statusCode, gone.headers['cache-control'], asked.length],
    [404, 'no-store', 17],
  )
  for (const sentOn of ['-1', 'x', '1e9', '16', '%2F%2Felsewhere.example'])
    assert.equal((await app.inject(`/assets/gone-abcd_-12.js?sentOn=${sentOn}`)).statusCode, 404)

  // The folder of the release before becomes that of the next one while its process goes on.
  fs.renameSync(
    path.join(before, 'assets/before-abcd_-12.js'),
    path.join(before, 'assets/next-abcd_-12.js'),
  )
  const [taken, next] = await Promise.all(
    ['before', 'next'].map((name) => processes[3]!.inject(`/assets/${name}-abcd_-12.js`)),
  )
  assert.deepEqual([taken?.statusCode, taken?.headers['cache-control']], [307, 'no-store'])
  assert.deepEqual([next?.statusCode, next?.body], [200, 'export const b = 1\n'])
})

test('an unknown address is the page for a browser and a 404 for everybody', async () => {
  const browser = await app.inject({ url: '/no/such/page', headers: HTML })
  assert.deepEqual([browser.statusCode, browser.body], [404, PAGE])
  for (const url of ['/api/v1/nothing', '/account/nothing', '/assets/index-old.js']) {
    const { statusCode, body } = await app.inject({
      url,
      headers: url.startsWith('/assets') ? {} : HTML,
    })
    assert.equal(statusCode, 404)
    assert.notEqual(body, PAGE)
  }
})

test('whoever opens this machine by its number is led to its name, where cookies and passkeys work', async () => {
  const local = await serve('http://localhost:8080', folder)
  const asked = await local.inject({
    url: '/jobs?page=2',
    headers: { ...HTML, host: '127.0.0.1:8080' },
  })
  assert.deepEqual(
    [asked.statusCode, asked.headers.location],
    [302, 'http://localhost:8080/jobs?page=2'],
  )
  assert.equal(
    (await local.inject({ url: '/jobs', headers: { ...HTML, host: 'localhost:8080' } })).statusCode,
    200,
  )
})

test('without a built site there are no pages, and nothing else is missing', async () => {
  const bare = await serve('http://localhost:8080', path.join(folder, 'nowhere'))
  assert.equal((await bare.inject({ url: '/', headers: HTML })).statusCode, 404)
})
