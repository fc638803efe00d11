/** Asks the cases through the service’s own paths, one after the other, and says whether each came as it should. */
import { counted } from '../../kit/text/counted.ts'
import { ORIGINAL } from '../../model/transcripts/caption-track.ts'
import { type ListSource, readSource } from '../../model/platform/source.ts'
import type { Missing, Obstruction, PlatformCalls } from '../platform.ts'
import type { CaseOutcome, PlatformCase } from './platform-cases.ts'

export type CaseFinding = {
  name: string
  /** The line that was asked for; null where none is known. */
  asked: string | null
  /** The video that was asked for; null for others, and where none was found. */
  videoId: string | null
  /** The outcome; `obstructed` where something lay in the way, `not_asked` where there was nothing to ask for. */
  outcome: CaseOutcome | 'obstructed' | 'not_asked'
  /** Whether the outcome is right for the case; one that was not asked is no fault. */
  isAllowed: boolean
  sentence: string
}

type Asking = {
  calls: PlatformCalls
  cases: readonly PlatformCase[]
  /** Whether the emulator answers in the platform's place. */
  isStandIn: boolean
  signal: AbortSignal
}

/** After so many obstructed cases in a row no more is asked: asking on prolongs a block. */
const OBSTRUCTED_MAX = 5

/** Asks for each case. Throws nothing; where the signal is aborted, returns the findings until then. */
export async function runCases({ cases, isStandIn, ...asking }: Asking): Promise<CaseFinding[]> {
  const findings: CaseFinding[] = []
  let obstructed = 0
  for (const each of cases) {
    if (asking.signal.aborted) break
    const asked = isStandIn ? each.standIn : each.platform
    const came =
      obstructed < OBSTRUCTED_MAX
        ? await askCase(each, asked, asking).catch((error: unknown) => {
            if (asking.signal.aborted) return null
            throw error
          })
        : GIVEN_UP
    if (came === null) break
    if (came.outcome === 'obstructed') obstructed += 1
    else if (came !== GIVEN_UP) obstructed = 0
    findings.push(findingOf(each, asked, came))
  }
  return findings
}

type Came = { outcome: CaseFinding['outcome']; said: string; videoId?: string }

const GIVEN_UP: Came = {
  outcome: 'not_asked',
  said: `Not asked: ${OBSTRUCTED_MAX} cases in a row were obstructed.`,
}
type Caller = { calls: PlatformCalls; signal: AbortSignal }

function findingOf({ name, allowed, why }: PlatformCase, asked: string | null, came: Came) {
  const { outcome, said, videoId = null } = came
  const isAllowed = outcome === 'not_asked' || allowed.some((each) => each === outcome)
  const right = isAllowed ? '' : ` Right would be ${allowed.join(' or ')}: ${why}.`
  return { name, asked, videoId, outcome, isAllowed, sentence: `${said}${right}` }
}

async function askCase(each: PlatformCase, asked: string | null, caller: Caller): Promise<Came> {
  if (asked === null) return { outcome: 'not_asked', said: `None is known: ${each.why}.` }
  const reading = readSource(asked)
  if (reading.kind !== 'source') return { outcome: 'not_asked', said: reading.sentence }
  const { source } = reading
  if (source.kind === 'video') return askVideoOf(each, source.videoId, caller)
  if (each.kind === 'list') return askPages(source, each.pages ?? 1, caller)
  if (each.kind === 'channel' && source.kind === 'channel') return askChannel(source.name, caller)
  return askFirst(each, source, caller)
}

async function askVideoOf(
  { language = ORIGINAL }: PlatformCase,
  videoId: string,
  { calls, signal }: Caller,
): Promise<Came> {
  const answer = await calls.fetchVideo({ videoId, language, wantsDate: false }, signal)
  if (answer.kind === 'obstructed') return { ...obstructedBy(answer), videoId }
  if (answer.kind === 'refused') {
    const { reason, text } = answer.refusal
    return { videoId, outcome: reason, said: `${reason}.${text === null ? '' : ` ${text}`}` }
  }
  const { languageCode, trackKind } = answer.transcript
  const said = `Words came in ${languageCode} (${trackKind}).`
  return { videoId, outcome: answer.isFallback ? 'other_language' : 'success', said }
}

async function askChannel(path: string, { calls, signal }: Caller): Promise<Came> {
  const answer = await calls.findChannel({ path }, signal)
  if (answer.kind === 'found') return { outcome: 'found', said: `It is ${answer.channelId}.` }
  return notListed(answer)
}

async function askPages(source: ListSource, pages: number, caller: Caller): Promise<Came> {
  const { calls, signal } = caller
  let videos = 0
  let cursor: string | null = null
  for (let read = 1; ; read += 1) {
    const page = await calls.listPage({ source, cursor }, signal)
    if (page.kind !== 'page') return notListed(page)
    videos += page.videos.length
    cursor = page.next
    if (read === pages || cursor === null) {
      const said = `${counted(videos, 'video')} on ${read} of ${counted(pages, 'page')}.`
      if (videos === 0) return { outcome: 'empty', said }
      return { outcome: read < pages ? 'cut_short' : 'listed', said }
    }
  }
}

/** Asks for the first video of a list, which is found only now. */
async function askFirst(each: PlatformCase, source: ListSource, caller: Caller): Promise<Came> {
  const page = await caller.calls.listPage({ source, cursor: null }, caller.signal)
  if (page.kind === 'obstructed') return obstructedBy(page)
  const first = page.kind === 'page' ? page.videos[0] : undefined
  if (first !== undefined) return askVideoOf(each, first.videoId, caller)
  return { outcome: 'not_asked', said: 'The list that leads to it shows no video at the moment.' }
}

function notListed(answer: Missing | Obstruction): Came {
  return answer.kind === 'missing'
    ? { outcome: 'missing', said: answer.text }
    : obstructedBy(answer)
}

function obstructedBy({ obstacle }: Obstruction): Came {
  return { outcome: 'obstructed', said: obstacle.text }
}
