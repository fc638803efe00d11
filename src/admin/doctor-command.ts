/** `admin doctor`: examines the platform and presents what was found; docs/operating/doctor.md describes it. */
import type { DatabaseContext } from '../context.ts'
import type { OnExchange } from '../platform/egress/connections.ts'
import { ConfigError } from '../kit/settings.ts'
import {
  type ExaminedRoute,
  type Health,
  isDelivering,
  isWorking,
  type PartAnswers,
} from '../platform/youtube/doctor-report.ts'
import type { Examination } from '../platform/youtube/doctor.ts'
import type { Matrix } from '../platform/youtube/identity-matrix.ts'
import { readCasesFile } from '../platform/youtube/platform-cases.ts'
import { actorOf } from './account-commands.ts'
import type { Command, Input } from './command.ts'
import { recordedIn } from './doctor-recording.ts'
import { refuseTaken, writeProposal } from './doctor-proposal.ts'
import { runDeepDoctor, runDoctor, runPeer } from './doctor.ts'
import { findPeer, type Peer } from './peer-program.ts'

/** Presents the examination of a route. */
function presentRoute(examined: ExaminedRoute) {
  const { route, via, stopped, parts, checked } = examined
  return {
    route,
    via,
    isDelivering: isDelivering(examined),
    stopped: stopped?.text ?? null,
    checked: checked === null ? null : { videos: checked.videos, of: checked.of },
    parts: parts.map((part) => ({
      part: part.part,
      client: part.client,
      version: part.version,
      ...presentAnswers(part),
    })),
  }
}

function presentAnswers(answers: PartAnswers) {
  return {
    isWorking: isWorking(answers),
    withMask: answers.withMask?.word ?? null,
    withoutMask: answers.withoutMask.word,
    words: answers.words?.word ?? null,
  }
}

function presentMatrix({ route, videoId, rows, stopped }: Matrix) {
  return {
    route,
    videoId,
    stopped,
    rows: rows.map((row) => {
      const { client, version, identity, of } = row
      return { client, version, identity, of, ...presentAnswers(row) }
    }),
  }
}

const EXIT_CODES: Record<Health, number> = { healthy: 0, down: 1, degraded: 2, limited: 3 }

/** Options that say something of the deep examination alone. */
const OF_DEEP = ['cases', 'propose'] as const

export const doctorCommand: Command = {
  usage:
    'doctor [--channel @handle] [--deep] [--cases FILE] [--propose FILE] [--record DIR] [--peer COMMAND] [--by NAME] [--json]',
  about:
    'tries the platform through every route and client profile, and says what works; exit code 0 if everything does, 3 if all but known limits does, 2 if a part does not, 1 if nothing delivers; --deep also asks videos and lists of every kind (of --cases or of this release) and each client with other identities, and writes profiles that work to --propose; --record keeps every exchange in a new folder, without addresses and identities; --peer compares words with those of another program, such as yt-dlp',
  async run(ctx, input) {
    const alone = OF_DEEP.find((name) => input.optional(name) !== null)
    if (alone !== undefined && !input.has('deep'))
      throw new ConfigError(`--${alone} goes with --deep`)
    const command = input.optional('peer')
    const peer = command === null ? null : await findPeer(command)
    const { result, lines: told } = await recordedIn(input.optional('record'), (onExchange) => {
      const asking: Asking = { input, peer, onExchange }
      return input.has('deep') ? examineDeeply(ctx, asking) : examineUsually(ctx, asking)
    })
    const lines = [...result.lines, ...told]
    return { ...result, value: { ...result.value, lines }, lines }
  },
}

/** The command's options, the peer that they name, and the hook of a recording. */
type Asking = { input: Input; peer: Peer | null; onExchange: OnExchange | null }

async function examineUsually(ctx: DatabaseContext, { input, peer, onExchange }: Asking) {
  const found = await runDoctor(ctx, { ...readAsk(input), onExchange })
  return answerOf(peer === null ? found : await runPeer(ctx, found, peer))
}

function readAsk(input: Input): { channel: string | null; actor: string } {
  const given = input.optional('channel')
  return {
    channel: given === null ? null : `/${given.replace(/^\//, '')}`,
    actor: actorOf(input),
  }
}

async function examineDeeply(ctx: DatabaseContext, { input, peer, onExchange }: Asking) {
  const file = input.optional('propose')
  if (file !== null) await refuseTaken(file)
  const cases = await readCasesFile(input.optional('cases'))
  const alone = await runDeepDoctor(ctx, { ...readAsk(input), cases, onExchange })
  const found = peer === null ? alone : await runPeer(ctx, alone, peer)
  const { proposal, matrix, ...rest } = found
  const proposed = file === null ? null : await writeProposal(file, proposal)
  const answer = answerOf(rest)
  return {
    ...answer,
    value: {
      ...answer.value,
      matrix: matrix === null ? null : presentMatrix(matrix),
      proposed,
    },
    lines: [...answer.lines, ...(proposed === null ? [] : [proposed.text])],
  }
}

function answerOf<T extends Examination>(found: T) {
  const value = { ...found, routes: found.routes.map(presentRoute) }
  return { exitCode: EXIT_CODES[found.verdict], value, lines: found.lines }
}
