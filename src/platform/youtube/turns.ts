/**
 * Turns: each request for a list or a date is made as one client for it after the other, until one answers. An app that
 * is refused, broken or too old is then neither the list's fault nor the route's.
 *
 * What only one app might deny wrongly is confirmed by the next one: that there is nothing, or no date. All else costs
 * one request, as long as the first client answers.
 */
import type { ClientProfile } from './clients.ts'
import type { Call } from './innertube.ts'
import {
  isObstructed,
  type NamedObstacle,
  type ObstacleRule,
  type Obstructed,
  obstructed,
  ruleOf,
} from './obstacle.ts'
import { isVersionWanted, noClientFor } from './refused-version.ts'
import type { Session } from './session.ts'

type Asked<T> = {
  ask: (client: ClientProfile) => Promise<T | Obstructed>
  /** Whether the answer denies what was asked for, which another client may show. */
  isDenial: (answer: T) => boolean
}

type Said<T> = { client: ClientProfile; answer: T | Obstructed }

/**
 * Returns the first answer that is neither an obstacle nor a denial. Without one, a denial stands, even where the other
 * clients were refused; where all were, the obstacle that tells most.
 */
export async function askInTurn<T extends object>(
  session: Session,
  call: Call['name'],
  { ask, isDenial }: Asked<T>,
): Promise<T | Obstructed> {
  const { clients } = session.context
  const said: Said<T>[] = []
  const order = clients.clientsFor('date_and_lists')
  const obstacleOf = (name: string): NamedObstacle | null | undefined => {
    const answer = said.find(({ client }) => client.name === name)?.answer
    return answer && (isObstructed(answer) ? answer.obstacle : null)
  }
  for (const client of order) {
    if (said.length > 0 && clients.isRetired(client)) continue
    if (!isVersionWanted(client, { order, isRetired: clients.isRetired, obstacleOf })) continue
    const answer = await ask(client)
    said.push({ client, answer })
    if (isObstructed(answer) ? isResting(answer) : !isDenial(answer)) break
  }
  const standing = said.find(({ answer }) => !isObstructed(answer) && !isDenial(answer))
  const stands = standing ?? said.find(({ answer }) => isWord(answer)) ?? worstOf(said)
  if (stands === undefined) return noClientFor(clients, 'date_and_lists') ?? obstructed('no_client')
  const others = said.filter((each) => each !== stands)
  if (isWord(stands.answer)) {
    const failed = standing === undefined ? others.filter(({ answer }) => !isWord(answer)) : others
    clients.delivered(
      stands.client,
      failed.map(({ client }) => client.name),
      call,
    )
  }
  keepTurn(session, call, { stands, others })
  return stands.answer
}

/** Whether an answer is the platform's word, of which NOT_FOUND in InnerTube's own words is one. */
function isWord<T extends object>(answer: T | Obstructed): boolean {
  return !isObstructed(answer) || answer.obstacle.said === 'NOT_FOUND'
}

/** Returns the obstacle to go by: one that blames the route, else another block, else the first. */
function worstOf<T extends object>(said: Said<T>[]): Said<T> | undefined {
  const last = said.at(-1)
  if (last !== undefined && isResting(last.answer)) return last
  const find = (isWorst: (rule: ObstacleRule) => boolean): Said<T> | undefined =>
    said.find(({ answer }) => isObstructed(answer) && isWorst(ruleOf(answer.obstacle)))
  return find(({ blame }) => blame === 'route') ?? find(({ kind }) => kind === 'blocked') ?? said[0]
}

/** Whether the route rests: it would let no other client out, either. */
function isResting<T extends object>(answer: T | Obstructed): boolean {
  return isObstructed(answer) && answer.obstacle.name === 'no_route'
}

function keepTurn<T extends object>(
  { turns }: Session,
  call: Call['name'],
  { stands, others }: { stands: Said<T>; others: Said<T>[] },
): void {
  const question = call === 'date' ? 'date' : 'list'
  const { failed } = turns.get(question) ?? { failed: new Map<string, NamedObstacle | null>() }
  for (const { client, answer } of others)
    failed.set(client.name, isObstructed(answer) ? answer.obstacle : null)
  turns.set(question, { spoke: stands.client.name, failed })
}
