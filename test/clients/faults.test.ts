/** The client library behind a bad network: retries, and what a lost answer costs. */
import { test } from 'node:test'
import { startsEachJobOnce } from './many-starts.ts'

test('starts through a network that loses requests and answers make one job each', async () => {
  await startsEachJobOnce(200)
})
