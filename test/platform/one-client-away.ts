/**
 * Cases in which one client's call is refused: each fault of the emulator, at each kind of call that each client makes.
 * The client is the first of its use, so that its refusal is met and not avoided.
 */
import assert from 'node:assert/strict'
import type { CallKind } from '../../emulator/call.ts'
import { type ActionKind, ACTIONS, type FaultRule } from '../../emulator/faults.ts'
import { type Emulator, startEmulator } from '../../emulator/server.ts'
import { truthOf } from '../../emulator/truth.ts'
import type { ChannelAnswer, ListingAnswer, VideoAnswer } from '../../src/platform/platform.ts'
import { loopbackRoute } from '../../src/platform/egress/route.ts'
import type { PlatformLimits } from '../../src/platform/limits.ts'
import {
  CLIENT_PROFILES,
  type ClientProfile,
  type ClientUse,
} from '../../src/platform/youtube/clients.ts'
import { segmentsOf } from '../support/segments-of.ts'
import { type Near, NEVER, openNear, truthIds } from './near-platform.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'

/** A fault under which everything is to come all the same; `first` is the client that is asked first. */
export type Case = { name: string; rule: FaultRule; first: string }

/** Limits where every call is answered: no deadline of ours may pass on a busy machine. */
export const PATIENT = { patienceMs: 120_000, requestMs: 60_000, retryPauseMs: 1 }
/** Rests in which nobody waits for long. */
const RESTS = { first: 1, longest: 5 }

/** Faults after which the caller waits in vain. */
export const SILENT: readonly ActionKind[] = ['hang', 'hold', 'drip']

const CALLS: Readonly<Record<ClientUse, readonly CallKind[]>> = {
  captions: ['visitor_id', 'player', 'timedtext'],
  age_gate: ['visitor_id', 'player', 'timedtext'],
  date_and_lists: ['visitor_id', 'player', 'browse', 'resolve_url'],
}

/** Forms: what a fault needs in order to be one, or the forms in which it comes. */
const FORMS: Partial<Record<ActionKind, readonly Partial<FaultRule>[]>> = {
  latency: [{ ms: 5 }],
  drip: [{ bytesPerSecond: 10 }],
  made_up: [{}, { bytes: 2_100_000 }],
  cause: [{}, { cause: 'private' }, { cause: 'age_confirm' }, { cause: 'upcoming_live' }],
}

/** Returns the cases of those faults: each at one client's calls, and foreign identities at those of all. */
export function casesOf(actions: readonly ActionKind[] = ACTIONS): Case[] {
  const rules = actions.flatMap((action) =>
    (FORMS[action] ?? [{}]).map((form): FaultRule => ({ do: action, ...form })),
  )
  return CLIENT_PROFILES.flatMap(({ name: first, use }) => [
    ...rules.flatMap((rule) =>
      CALLS[use].map((on) => caseOf({ ...rule, on, client: first }, first)),
    ),
    ...rules.filter((rule) => rule.do === 'visitor').map((rule) => caseOf(rule, first)),
  ])
}

function caseOf(rule: FaultRule, first: string): Case {
  const { do: action, on = 'any call', client = `any client, ${first} first`, ...form } = rule
  const shape = Object.values(form).map((value) => ` ${String(value)}`)
  return { name: `${String(client)} ${String(on)}: ${action}${shape.join('')}`, rule, first }
}

/** Demands that everything comes in each case; `lanes` of them are tried at a time. All that fail are told at once. */
export async function assertAllComes(
  cases: readonly Case[],
  { lanes, limits }: { lanes: number; limits: Partial<PlatformLimits> },
): Promise<void> {
  const emulators = await Promise.all(Array.from({ length: lanes }, () => startEmulator()))
  const left = cases.values()
  const failures: string[] = []
  try {
    await Promise.all(
      emulators.map(async (emulator) => {
        for (const each of left) failures.push(...(await tryCase(emulator, each, limits)))
      }),
    )
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()))
  }
  const list = failures.sort().join('\n')
  assert.ok(failures.length === 0, `${failures.length} of ${cases.length} cases fail:\n${list}`)
}

async function tryCase(
  emulator: Emulator,
  { name, rule, first }: Case,
  limits: Partial<PlatformLimits>,
): Promise<string[]> {
  emulator.apply({ faults: [rule] })
  try {
    const { failed } = await askEverything(emulator, first, limits)
    return failed.length === 0 ? [] : [`${name}: ${failed.join('; ')}`]
  } finally {
    emulator.clear()
  }
}

/** Asks for a video with its date, a list and a channel, as a client that nothing is known to yet. */
async function askEverything(
  emulator: Emulator,
  first: string,
  limits: Partial<PlatformLimits>,
): Promise<{ failed: string[]; requests: readonly RequestReport[] }> {
  const routes = [{ ...loopbackRoute(), restMs: RESTS }]
  const near = openNear(emulator, { clients: withFirst(first), routes, limits })
  const failed: string[] = []
  try {
    for (const [what, check] of Object.entries(CHECKS))
      await check(near).catch((error: Error) => failed.push(`${what}, ${error.message}`))
  } finally {
    await near.platform.close()
  }
  return { failed, requests: near.requests }
}

/** Returns the kinds of calls that the client is thought to make but does not make where it is asked first. */
export async function callsMissing({ name, use }: ClientProfile): Promise<CallKind[]> {
  const emulator = await startEmulator()
  try {
    const { failed, requests } = await askEverything(emulator, name, PATIENT)
    assert.deepEqual(failed, [])
    const own = requests.filter(({ client }) => client === name)
    const made = own.map(({ call }) => (call === 'date' ? 'player' : call))
    return CALLS[use].filter((kind) => !made.some((each) => each === kind))
  } finally {
    await emulator.close()
  }
}

function withFirst(first: string): ClientProfile[] {
  return CLIENT_PROFILES.toSorted((a, b) => Number(b.name === first) - Number(a.name === first))
}

const CHECKS = { video: checkVideo, list: checkList, channel: checkChannel } as const

async function checkVideo(near: Near): Promise<void> {
  const { videoId } = near.emulator.world.special('asr')
  const [truth] = truthOf(near.emulator.world, { video: videoId }).videos
  const answer = await near.fetch(videoId, 'original', true)
  assert.ok(answer.kind === 'fetched', sayingOf(answer))
  assert.deepEqual(segmentsOf(answer.transcript), truth?.tracks[0]?.segments, 'other words')
  const { publishedAt } = answer.facts
  assert.ok(publishedAt !== null, 'without its date')
  assert.equal(Date.parse(publishedAt), Date.parse(truth?.publishedAt ?? ''), 'another date')
}

async function checkList(near: Near): Promise<void> {
  const { world } = near.emulator
  const { handle, channelId } = world.channel('small')
  const before = truthIds(world, { channel: channelId })
  const { videos, end } = await near.list(`https://www.youtube.com/${handle}`)
  assert.ok(end.kind === 'page', sayingOf(end))
  const ids = videos.map(({ videoId }) => videoId)
  const now = truthIds(world, { channel: channelId }) // a fault may upload a video
  const isWhole = before.every((id) => ids.includes(id))
  const isOwn = ids.every((id) => now.includes(id))
  assert.ok(isWhole && isOwn, isWhole ? 'with other videos' : 'not whole')
}

async function checkChannel({ emulator, platform }: Near): Promise<void> {
  const { handle, channelId } = emulator.world.channel('small')
  const answer = await platform.findChannel({ path: `/${handle}` }, NEVER)
  assert.ok(answer.kind === 'found', sayingOf(answer))
  assert.equal(answer.channelId, channelId, 'another channel')
}

/** Returns an answer that was not wished for in a few words. */
function sayingOf(answer: VideoAnswer | ChannelAnswer | ListingAnswer): string {
  switch (answer.kind) {
    case 'obstructed':
      return `${answer.obstacle.kind}: ${answer.obstacle.text}`
    case 'refused':
      return `refused: ${answer.refusal.reason}`
    case 'missing':
      return `missing: ${answer.text}`
    default:
      return answer.kind
  }
}
