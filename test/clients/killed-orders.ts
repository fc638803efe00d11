/** A command that is killed while it orders, and what has to be true of its purchases in the end. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { microsOf } from '../../clients/cli/src/usd.ts'
import { STILL_WORKING, type Customer } from '../../tools/conformance/customer.ts'
import type { CliUser } from './cli-command.ts'

const VIDEOS = '8'
export const COMMAND = [
  'get',
  'https://www.youtube.com/@endlessarchive',
  '--max',
  VIDEOS,
  '--out',
  'talks',
]
/** State of the order when its command was killed. */
export type Moment = 'before the order' | 'order without answer' | 'job running' | 'job final'

/** Runs the command until it completes, without kills; a lost network may still end a run. */
export async function untilComplete(user: CliUser): Promise<string> {
  for (;;) {
    const { code, stderr } = await user.runs(...COMMAND)
    if (code !== 75) {
      assert.ok(code === 0 || code === 3, stderr)
      return stderr
    }
  }
}

export function openOrder(user: CliUser): { jobId: string | null } | null {
  const folder = path.join(user.folder, '.local/state/scriptorium/orders')
  const [file] = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
    : []
  return file === undefined ? null : JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'))
}

export async function momentOf(user: CliUser, buyer: Customer): Promise<Moment> {
  const order = openOrder(user)
  if (order === null) return 'before the order'
  if (order.jobId === null) return 'order without answer'
  const { state } = await buyer.gets(`/jobs/${order.jobId}`)
  return STILL_WORKING.has(state) ? 'job running' : 'job final'
}

const PAGE = 50

export async function checkPurchases(
  user: CliUser,
  buyer: Customer,
  { jobs: expected }: { jobs: number },
): Promise<void> {
  const { jobs, total } = await buyer.gets(`/jobs?limit=${PAGE}`)
  assert.equal(total, expected, 'as many jobs as orders that were brought to their end')
  const texts = new Map<string, string>()
  for (let at = jobs.length; at < total; at += PAGE)
    jobs.push(...(await buyer.gets(`/jobs?limit=${PAGE}&offset=${at}`)).jobs)
  assert.equal(jobs.length, total)
  for (const job of jobs) {
    assert.equal(job.state, 'finished')
    for (const { status, videoId, text } of await buyer.readsRows(job)) {
      if (status !== 'success') continue
      assert.ok(!texts.has(videoId), `${videoId} was bought twice`)
      texts.set(videoId, text)
    }
  }
  const spent = 100_000_000n - (microsOf(await buyer.balance()) ?? 0n)
  assert.equal(spent, BigInt(texts.size) * 8_000n)

  const files = user.files('talks')
  assert.equal(files.length, texts.size, files.join(', '))
  for (const file of files) {
    const [, videoId = ''] = /\[([\w-]{11})\]\.txt$/.exec(file) ?? []
    const words = fs.readFileSync(path.join(user.folder, 'talks', file), 'utf8').split(/\s+/)
    assert.equal(words.join(' ').trim(), texts.get(videoId), file)
  }
}
