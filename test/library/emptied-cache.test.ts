/** The ZIP of a collection whose transcripts are stored as bodies, while the cache of compressed forms loses them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { openCollectionZip } from '../../src/library/open-collection-zip.ts'
import { testService } from '../support/service.ts'

const { platform, customer, database } = await testService(
  { after },
  { env: { TRANSCRIPT_STORAGE: 'body' } },
)
const { db, pool } = database

/** Empties the cache behind the first so many answers of the database. */
function losing(times: number): { plugin: KyselyPlugin; lost(): number } {
  let lost = 0
  return {
    plugin: {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (lost < times) {
          lost += 1
          await pool.query('delete from packed_form')
        }
        return result
      },
    },
    lost: () => lost,
  }
}

test('no text is left out because its compressed form went away between two questions', async () => {
  const channel = platform.world.channel('small')
  const buyer = await customer()
  await buyer.orders({ urls: [`https://www.youtube.com/${channel.handle}`], maxVideos: 5 })
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from transcript_body')
  assert.ok(rows[0]?.n === 5, 'the texts are stored as bodies')

  const input = {
    accountId: buyer.accountId,
    collectionId: channel.channelId,
    forms: ['txt', 'srt'] as const,
  }
  const { identity, sha256 } = await openCollectionZip(db, input)
  const { plugin, lost } = losing(1) // behind the question what is at hand: all, it was just made
  const again = await openCollectionZip(db.withPlugin(plugin), input)
  assert.equal(lost(), 1)
  assert.deepEqual(
    [again.identity.sizeBytes, again.sha256],
    [identity.sizeBytes, sha256],
    'the same archive, whatever was lost meanwhile',
  )
})

test('a cache that keeps nothing is an error, not an archive without texts', async () => {
  const { rows } = await pool.query<{ accountId: string; collectionId: string }>(
    'select account_id as "accountId", collection_id as "collectionId" from collection_video limit 1',
  )
  const [owned] = rows
  assert.ok(owned !== undefined)
  const { plugin } = losing(Infinity)
  await assert.rejects(
    openCollectionZip(db.withPlugin(plugin), { ...owned, forms: ['txt'] }),
    /loses them faster/,
  )
})
