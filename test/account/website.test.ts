/** How the built site is served: policy, caching, names, and the API without it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fastify } from 'fastify'
import { notFoundPage, website } from '../../src/http/website.ts'

const PAGE = '<!doctype html><title>Scriptorium</title>'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'))
after(() => fs.rmSync(folder, { recursive: true }))
fs.mkdirSync(path.join(folder, 'assets'))
fs.writeFileSync(path.join(folder, 'index.html'), PAGE)
fs.writeFileSync(path.join(folder, 'assets/index-abc.js'), 'export const a = 1\n'.repeat(400))

async function serve(publicUrl: string, from: string) {
  const app = fastify()
  app.setNotFoundHandler(
    (request, reply) => notFoundPage(request, reply) ?? reply.code(404).send({ error: 'none' }),
  )
  await app.register(website(publicUrl, from))
  after(() => app.close())
  return app
}
const app = await serve('https://texts.example', folder)
const HTML = { accept: 'text/html' }

test('every page of the site is the one page, never kept and under a strict policy', async () => {
  for (const url of [
    '/',
    '/sign-in',
    '/jobs',
    '/jobs/0190-x',
    '/jobs/0190-x/12',
    '/account',
    '/new',
    '/developers',
  ]) {
    const { statusCode, body, headers } = await app.inject({ url, headers: HTML })
    assert.deepEqual([statusCode, body, headers['cache-control']], [200, PAGE, 'no-store'], url)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.deepEqual(
      [headers['x-content-type-options'], headers['referrer-policy']],
      ['nosniff', 'no-referrer'],
    )
  }
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
  const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
  assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
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
