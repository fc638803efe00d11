/** The client library behind a bad network, for longer; `STARTS=10000` for more. */
import { test } from 'node:test'
import { startsEachJobOnce } from './many-starts.ts'

const STARTS = Number(process.env['STARTS'] ?? 1_200)

test(`${STARTS} starts through a network that loses requests and answers make as many jobs`, async () => {
  await startsEachJobOnce(STARTS)
})
