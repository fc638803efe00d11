/** Rules of paging and of GET /jobs (specification 4.2, decision 39). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'
import { assertJob } from '../shapes.ts'

const WRONG = (max: number): [name: string, query: string][] => [
  ...[
    '-1',
    '',
    'abc',
    '1.5',
    '1e1',
    '+1',
    '0x1',
    '%201',
    '1%20',
    '99999999999999999999',
    'null',
    '٣',
  ].map((text): [string, string] => ['offset', `offset=${encodeURI(text).replaceAll('%25', '%')}`]),
  ...['0', String(max + 1), '-1', '', 'abc', '1.0', '1,2'].map((text): [string, string] => [
    'limit',
    `limit=${text}`,
  ]),
  ['offset', 'offset=0&offset=0'],
  ['limit', 'limit=1&limit=1'],
  ['limit', 'offset=0&limit=x'],
]

export const listRules: Rule[] = [
  rule(
    'Every offset and limit out of bounds, empty, repeated or not of plain digits answers 400 and is named',
    async (kit) => {
      const { id } = await kit.finished()
      for (const [path, max] of [
        ['/jobs', 50],
        [`/jobs/${id}/results`, 200],
      ] as const) {
        for (const [name, query] of WRONG(max)) {
          const reply = await kit.ask('GET', `${path}?${query}`)
          assert.deepEqual(
            [reply.status, reply.body['error']?.code],
            [400, 'invalid_request'],
            query,
          )
          assert.ok(
            reply.body['error'].message.includes(name),
            `${query}: ${reply.body['error'].message}`,
          )
        }
        assert.equal((await kit.ask('GET', `${path}?limit=${max}&offset=0`)).status, 200)
        assert.equal((await kit.ask('GET', `${path}?limit=1`)).status, 200)
      }
    },
  ),
  rule('GET /jobs lists every job newest first, 20 by default', async (kit) => {
    const list = await kit.get('/jobs')
    assert.deepEqual([list['offset'], list['limit']], [0, 20])
    assert.equal(list['jobs'].length, Math.min(20, list['total']))
    for (const job of list['jobs']) assertJob(job)
    const keys: string[] = list['jobs'].map((job: Json) => `${job['createdAt']} ${job['id']}`)
    assert.deepEqual(keys, [...keys].sort().reverse())
  }),
  rule('A job in the list is the job itself', async (kit) => {
    const { id } = await kit.finished()
    const { jobs } = await kit.get('/jobs?limit=50')
    const listed = jobs.find((job: Json) => job['id'] === id)
    assert.deepEqual(listed, await kit.get(`/jobs/${id}`))
  }),
  rule(
    'Pages of the list neither skip nor repeat; past the end there is an empty page',
    async (kit) => {
      const { total } = await kit.get('/jobs')
      const ids: string[] = []
      for (let offset: number | null = 0; offset !== null && ids.length < 60;) {
        const page: Json = await kit.get(`/jobs?limit=7&offset=${offset}`)
        ids.push(...page['jobs'].map((job: Json) => job['id']))
        assert.equal(page['nextOffset'], offset + 7 < total ? offset + 7 : null)
        offset = page['nextOffset']
      }
      assert.equal(new Set(ids).size, ids.length)
      for (const offset of [total, total + 100, 2 ** 40]) {
        const page = await kit.get(`/jobs?offset=${offset}`)
        assert.deepEqual([page['jobs'], page['nextOffset'], page['total']], [[], null, total])
      }
    },
  ),
]
