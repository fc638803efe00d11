/** Texts that their owner deletes: those of others, and one's own, read or had again for nothing afterwards. */
import assert from 'node:assert/strict'
import { WORD_FILES } from '../../../src/model/files/catalogue.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import type { Attack } from '../attack.ts'

const PRICE = 0.008
const SET = { urls: ['@dailynotes'], maxVideos: 2 }

export const DELETED_TEXTS: readonly Attack[] = [
  {
    name: "deleting another account's texts and projects by ids that the attacker knows",
    class: 'foreign reads',
    isInGate: true,
    async run(target) {
      const [victim, attacker] = [await target.customer(), await target.customer()]
      const { job, rows } = await victim.orders(SET)
      await attacker.orders(SET) // the same videos, so that both have these collections
      const { body: project } = await victim.asks('POST', '/projects', { body: { name: 'P' } })
      await victim.asks('POST', `/projects/${project['id']}/videos`, { body: { job: job['id'] } })
      const { collections } = await victim.gets('/library')
      const ids = [job['id'], String(job['id']).toUpperCase()]
      const paths = [
        ...ids.map((id) => `/jobs/${id}/texts`),
        ...rows.map(({ index }) => `/jobs/${job['id']}/videos/${index}/text`),
        `/library/${project['id']}/texts`,
        `/projects/${project['id']}?texts=true`,
      ]
      for (const path of paths)
        for (const query of ['', `${path.includes('?') ? '&' : '?'}dryRun=true`]) {
          const { status } = await attacker.asks('DELETE', path + query)
          assert.ok(status === 404 || status === 400, `${status} ${path}${query}`)
        }
      for (const { id } of collections as Json[])
        assert.equal((await attacker.asks('DELETE', `/library/${id}/texts`)).status, 204)
      assert.deepEqual(await victim.readsRows(job), rows, 'a text of the victim is gone')
      return `${paths.length * 2} tries are 404, and shared channels lose the attacker’s own texts`
    },
  },
  {
    name: 'reading deleted texts by links and tags of before, and having them or their price again for nothing',
    class: 'free work',
    isInGate: true,
    async run(target) {
      const buyer = await target.customer('1')
      const { job, rows } = await buyer.orders(SET)
      const delivered = rows.filter(({ status }) => status === 'success')
      const links = [
        ...delivered.flatMap(({ files }) => Object.values(files as Record<string, string>)),
        ...delivered.flatMap(({ index }) =>
          WORD_FILES.map((file) => `/jobs/${job['id']}/videos/${index}/${file}`),
        ),
        `/jobs/${job['id']}/files/zip`,
        `/jobs/${job['id']}/files/all.txt`,
      ]
      const tags = new Map<string, string>()
      for (const link of links) {
        const { headers } = await buyer.asks('GET', link)
        tags.set(link, headers.get('etag') ?? '"none"')
      }
      const paid = await buyer.balance()
      const texts = `/jobs/${job['id']}/texts`
      const answers = await Promise.all([0, 1, 2].map(() => buyer.asks('DELETE', texts)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [204, 204, 204],
      )
      for (const [link, tag] of tags)
        for (const headers of [
          {},
          { 'If-None-Match': tag },
          { Range: 'bytes=0-99', 'If-Range': tag },
        ])
          assert.equal((await buyer.asks('GET', link, { headers })).status, 404, link)
      assert.equal(await buyer.balance(), paid, 'the price came back')

      const repeat = await buyer.orders(SET)
      for (const { videoId } of delivered) {
        const row = repeat.rows.find((one) => one['videoId'] === videoId)
        assert.deepEqual([row?.['status'], row?.['text']], ['unchanged', null])
      }
      const before = Number(await buyer.balance())
      const urls = delivered.map(({ videoId }) => videoId)
      const again = await buyer.waitsFor(
        (await buyer.asks('POST', '/jobs?owned=skip', { body: { urls } })).body,
      )
      const cost = delivered.length * PRICE
      assert.equal(again['progress'].delivered, delivered.length)
      assert.ok(Math.abs(before - Number(await buyer.balance()) - cost) < 1e-9, 'they were free')
      return `${links.length} links are 404, a repeat brings nothing, another order costs ${cost}`
    },
  },
]
