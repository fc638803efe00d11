/** `follow`: channels and playlists whose new videos are bought automatically. */
import {
  ConnectionError,
  type Scriptorium,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionRequest,
} from '../../../typescript/src/index.ts'
import { sleep } from '../../../typescript/src/retry.ts'
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.ts'
import { fieldsOf } from '../order-options.ts'
import type { Options } from '../parse-words.ts'
import { type Command, connect, numberOption, printJson, type Shell, textOption } from '../shell.ts'
import { tableOf } from '../table.ts'
import { dollars, microsOf } from '../usd.ts'

const BACKLOG = { min: 0, max: 500 }
const EVERY = { min: 1, max: 168 }
const ADAPTIVE = 'auto'
const FIRST_LOOK_PAUSE_MS = 300
const FIRST_LOOK_WAIT_MS = 10_000
/** Options for following something; without a URL they would have no effect. */
const TERMS = ['cap', 'last', 'since', 'every', 'language']

type Act = (shell: Shell, subject: string) => Promise<ExitCode>
const ACTS: Record<string, Act> = {
  pause: (shell, subject) => change(shell, subject, { state: 'paused' }),
  resume: (shell, subject) => change(shell, subject, { state: 'active' }),
  set: (shell, subject) => change(shell, subject, changeFrom(shell.options)),
  remove,
}

export const follow: Command = async (shell) => {
  const [first, subject, ...others] = shell.words
  if (first === undefined) {
    const term = TERMS.find((name) => shell.options[name] !== undefined)
    if (term !== undefined)
      throw usageFailure(`--${term} needs the URL of what it is for`, 'scriptorium follow --help')
    return list(shell)
  }
  const act = Object.hasOwn(ACTS, first) ? ACTS[first] : undefined
  if (act === undefined) return create(shell)
  if (subject === undefined || others.length > 0)
    throw usageFailure(`follow ${first} takes one ID or URL`, 'scriptorium follow --help')
  return act(shell, subject)
}

async function list(shell: Shell): Promise<ExitCode> {
  const found: Subscription[] = []
  for await (const one of connect(shell).subscriptions.all()) found.push(one)
  if (found.length === 0) shell.terminal.say('Not following anything yet')
  return print(shell, found)
}

async function create(shell: Shell): Promise<ExitCode> {
  const terms = termsFrom(shell.options)
  const client = connect(shell)
  const made: Subscription[] = []
  for (const url of shell.words) {
    const one = await looked(client, await followOnce(client, { url, ...terms }))
    if (one.neverFound === true) {
      await client.subscriptions.remove(one.id)
      const hint = 'check the address; nothing is followed there'
      const said = `the platform has no channel or playlist ${url}`
      throw new Failure(said, { exit: EXIT.error, code: 'not_found', hint })
    }
    made.push(one)
    shell.terminal.say(`Following ${url}, at most ${dollars(one.monthlyCap)} a month`)
  }
  return print(shell, made)
}

/** Waits a moment for the first look at what is followed: it tells whether the platform has such a list. */
async function looked(client: Scriptorium, made: Subscription): Promise<Subscription> {
  let one = made
  for (let waited = 0; waited < FIRST_LOOK_WAIT_MS; waited += FIRST_LOOK_PAUSE_MS) {
    if (one.lastLookedAt !== null || one.notice !== null || one.state !== 'active') break
    await sleep(FIRST_LOOK_PAUSE_MS)
    one = await client.subscriptions.get(one.id)
  }
  return one
}

/** Creates a subscription. Where the answer is lost, the list tells whether it was created. */
async function followOnce(
  client: Scriptorium,
  request: SubscriptionRequest,
): Promise<Subscription> {
  try {
    return await client.subscriptions.create(request)
  } catch (error) {
    const made =
      error instanceof ConnectionError ? await client.subscriptions.find(request.url) : null
    if (made === null) throw error
    return made
  }
}

async function change(
  shell: Shell,
  subject: string,
  wanted: SubscriptionChange,
): Promise<ExitCode> {
  const client = connect(shell)
  return print(shell, [await client.subscriptions.change(await idOf(client, subject), wanted)])
}

async function remove(shell: Shell, subject: string): Promise<ExitCode> {
  const client = connect(shell)
  const id = await idOf(client, subject)
  await client.subscriptions.remove(id)
  if (shell.isJson) await printJson(shell, { id, isRemoved: true })
  else shell.terminal.say('No longer followed; what was delivered stays yours')
  return EXIT.ok
}

/** Returns the id of a subscription, given the id or the line that was followed. */
async function idOf(client: Scriptorium, subject: string): Promise<string> {
  if (subject.startsWith('sub_')) return subject
  const found = await client.subscriptions.find(subject)
  if (found !== null) return found.id
  const hint = 'scriptorium follow lists what you follow'
  throw new Failure(`you do not follow ${subject}`, { exit: EXIT.error, code: 'not_found', hint })
}

function termsFrom(options: Options): Omit<SubscriptionRequest, 'url'> {
  const monthlyCap = capOption(options)
  if (monthlyCap === undefined)
    throw usageFailure(
      'follow needs --cap USD, the most that new videos may cost in a month',
      'scriptorium follow https://www.youtube.com/@channel --cap 2',
    )
  const everyHours = everyOption(options)
  return {
    monthlyCap,
    ...given({
      backlog: numberOption(options, 'last', BACKLOG),
      ...fieldsOf({
        since: textOption(options, 'since'),
        language: textOption(options, 'language'),
      }),
      everyHours: everyHours ?? undefined,
    }),
  }
}

function changeFrom(options: Options): SubscriptionChange {
  const wanted = given({ monthlyCap: capOption(options), everyHours: everyOption(options) })
  if (Object.keys(wanted).length === 0)
    throw usageFailure('follow set takes --cap USD, --every HOURS, or both')
  return wanted
}

function capOption(options: Options): string | undefined {
  const cap = textOption(options, 'cap')
  if (cap !== undefined && microsOf(cap) === null)
    throw usageFailure(`--cap is an amount like 2 or 0.50, not "${cap}"`)
  return cap
}

/** Returns null for as often as the source publishes; undefined where the option was not given. */
function everyOption(options: Options): number | null | undefined {
  return textOption(options, 'every') === ADAPTIVE ? null : numberOption(options, 'every', EVERY)
}

/** Returns the fields without those that are undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

async function print(shell: Shell, subscriptions: Subscription[]): Promise<ExitCode> {
  if (shell.isJson) await printJson(shell, { subscriptions })
  else await shell.terminal.data(tableOf(subscriptions.map(cellsOf), shell.terminal))
  return EXIT.ok
}

function cellsOf(one: Subscription): string[] {
  const { id, state, spentThisMonth, monthlyCap, everyHours, title, url } = one
  return [
    id,
    state,
    `${dollars(spentThisMonth)} of ${dollars(monthlyCap)}`,
    everyHours === undefined ? ADAPTIVE : `${everyHours} h`,
    title === null ? url : `${title}  ${url}`,
  ]
}
