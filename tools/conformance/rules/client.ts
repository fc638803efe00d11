/** Rules of the client library: its promises hold with this deployment. */
import assert from 'node:assert/strict'
import { NotFoundError, type Video, verifyReceipt } from '../../../clients/typescript/src/index.ts'
import { type Rule, rule } from '../rule.ts'

export const clientRules: Rule[] = [
  rule(
    'The client library reads each row of a job once while it runs, with its texts',
    async (kit) => {
      const { id } = await kit.start({ urls: kit.lines() })
      const rows: Video[] = []
      for await (const row of kit.client.jobs.results(id)) rows.push(row)
      const { videos } = await kit.get(`/jobs/${id}/results?limit=200&include=textRow`)
      assert.deepEqual(
        rows.toSorted((a, b) => a.index - b.index),
        videos,
      )
    },
  ),
  rule('The client library checks the receipt of a job with the published keys', async (kit) => {
    const { id } = await kit.finished()
    const receipt = await kit.client.jobs.receipt(id)
    const { origin } = new URL(kit.options.baseUrl)
    const published = await fetch(`${origin}/.well-known/scriptorium-keys.json`)
    const { keys } = (await published.json()) as { keys: { id: string; publicKey: string }[] }
    const { videos } = await kit.client.jobs.resultsPage(id)
    await verifyReceipt(receipt, { keys, videos })
    await assert.rejects(verifyReceipt({ ...receipt, charged: '9.000' }, { keys }), /charged/)
  }),
  rule('The client library tells refusals apart by class', async (kit) => {
    await assert.rejects(kit.client.jobs.get('none'), NotFoundError)
  }),
]
