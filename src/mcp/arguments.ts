/**
 * Arguments as language models and their hosts send them: numbers as texts, nothing where a field may be left out,
 * `max_videos` for `maxVideos`, `query` for `q`, and fields of the host's own. What can mean one thing only is read as
 * that, what hosts add is passed over, and the rest is refused in words of the tool.
 */
import type { TSchema } from 'typebox'
import { JobBody } from '../api/jobs/schema.ts'
import { Problem } from '../kit/problem.ts'
import { isNear } from '../model/platform/near-miss.ts'
import { isFields, isNothing } from './plain-message.ts'

/** The part of a field's schema that says what a text may stand for. */
type Field = { type?: string }
type Properties = Record<string, Field>

/**
 * Things that hosts keep ids of. n8n adds `sessionId` and `toolCallId` to arguments (its issues, from 2025-11); others
 * name theirs in the same way (`thread_id`, `conversationId`, `workflow_run_id`). No tool has an id of these.
 */
const OF_HOSTS = setOf(
  `agent app assistant call chat chatflow checkpoint client conversation correlation event execution flow invocation
  message node parent request response root run session span step task thread tool trace turn user workflow`,
)
/** Further fields of hosts: of n8n's chats (its issues, 2025), and Cline's list of things to do (its issues, 2026). */
const FURTHER_OF_HOSTS = setOf('action chatinput tool taskprogress')
/** Words of wishes about money, bounds and choice, which are never passed over; those of our fields are others. */
const WISHES = setOf(
  `all amount budget cap charge confirm cost count credit dollars dry dryrun estimate first free last latest least limit
  maximum min minimum money most number only pay preview price quota skip spend test top total until usd`,
)
/** Letters of the shortest wish that is also heard inside a word, as in `maxspend`: shorter ones are in too many. */
const HEARD_INSIDE_CHARS_MIN = 4
/**
 * Names under which models send a field, since tools of others have them, or answers of ours. A name stands with each
 * field that it can mean; where a tool has several of these, it is not read.
 */
const MEANT: Readonly<Record<string, Set<string>>> = {
  q: setOf('query searchquery'),
  query: setOf('q searchquery'),
  video: setOf('url id link videoid videourl videolink'),
  urls: setOf(
    'url link links video videos videoid videoids videourl channel channelurl playlist playlisturl',
  ),
  url: setOf('urls link channel channelurl playlist playlisturl'),
  jobId: setOf('id job'),
  subscriptionId: setOf('id subscription'),
  collectionId: setOf('id collection'),
  language: setOf('lang languagecode'),
  cursor: setOf('nextcursor'),
  offset: setOf('nextoffset'),
  monthlyCap: setOf('monthlycapusd'),
}
const EXTRA_CHARS_SHOWN = 60
const WHOLE_NUMBER = /^[+-]?\d{1,15}(?:\.0{1,6})?$/
const DECIMAL = /^\$? ?(\d{1,12}(?:\.\d{1,6})?)$/
const WORDS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g

/**
 * Returns the arguments as the schema's fields mean them, without those of hosts. A tool that takes none gets none:
 * some hosts need a dummy there. Any other field, and what is no object, is unchanged.
 */
export function plainArguments(schema: TSchema, args: unknown): unknown {
  if (!isFields(args)) return args
  const { properties = {}, required = [] } = schema as {
    properties?: Properties
    required?: string[]
  }
  const names = Object.keys(properties)
  if (names.length === 0) return {}
  const readings = new Map(Object.keys(args).map((sent) => [sent, fieldMeant(sent, names)]))
  const given = Object.keys(args).filter((sent) => !isNothing(args[sent]))
  const senders = Map.groupBy(given, (sent) => readings.get(sent))
  const isOfHost = hostsBeside(names)
  const fields: [string, unknown][] = []
  for (const [sent, value] of Object.entries(args)) {
    const read = readings.get(sent) ?? sent
    const isOne = (senders.get(read)?.length ?? 0) < 2
    const name = isOne || names.includes(sent) || isNothing(value) ? read : sent
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined) {
      if (!isOfHost(name)) fields.push([name, value])
    } else if ((name === sent && required.includes(name)) || !isNothing(value))
      fields.push([name, meant(field, value)])
  }
  return Object.fromEntries(fields)
}

/** Returns the field that a name means: itself, one in another spelling, or the only one that it is a word for. */
function fieldMeant(sent: string, names: readonly string[]): string {
  if (names.includes(sent)) return sent
  const letters = plain(sent)
  const spelled = names.find((name) => plain(name) === letters)
  if (spelled !== undefined) return spelled
  const meanings = names.filter((name) => MEANT[name]?.has(letters) === true)
  return meanings.length === 1 ? (meanings[0] ?? sent) : sent
}

/**
 * Returns whether hosts add a field of a name to calls of a tool with these fields: an id of what they keep, a name
 * that begins with `_`, or a known one. A name like one of our fields, or with a word of one or of a wish,
 * is none.
 */
function hostsBeside(names: readonly string[]): (name: string) => boolean {
  const ours = [...names, ...Object.keys(JobBody.properties)]
  const letters = ours.map(plain)
  const ourWords = new Set(ours.flatMap(nameParts).filter((word) => word !== 'id'))
  return (name) => {
    const words = nameParts(name)
    const [last, ...others] = words.toReversed()
    const isId = last === 'id' && others.length > 0 && others.every((word) => OF_HOSTS.has(word))
    const isOfHost = isId || name.startsWith('_') || FURTHER_OF_HOSTS.has(plain(name))
    if (!isOfHost || words.some((word) => isWish(word) || ourWords.has(word))) return false
    const own = plain(name)
    return !letters.some((field) => isNear(own, field))
  }
}

function isWish(word: string): boolean {
  if (WISHES.has(word)) return true
  return WISHES.values().some(
    (wish) => wish.length >= HEARD_INSIDE_CHARS_MIN && word.includes(wish),
  )
}

function setOf(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

function nameParts(name: string): string[] {
  return (name.match(WORDS) ?? []).map((word) => word.toLowerCase())
}

/** Returns a name without what spellings differ in. */
function plain(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase()
}

/** Throws where an argument is none of the tool's, which names those that it has. */
export function refuseOthers(tool: string, schema: TSchema, args: unknown): void {
  if (!isFields(args)) return
  const names = Object.keys((schema as { properties?: Properties }).properties ?? {})
  const other = Object.keys(args).find((name) => !names.includes(name))
  if (other === undefined) return
  const known = names.join(', ')
  throw new Problem('invalid_request', {
    message: `${JSON.stringify(other.slice(0, EXTRA_CHARS_SHOWN))} is not a field of ${tool}: it has ${known}.`,
  })
}

/** Returns what a text stands for where the field takes no text. */
function meant(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  switch (field.type) {
    case 'integer':
      return WHOLE_NUMBER.test(text) ? Number(text) : value
    case 'number':
      return DECIMAL.test(text) ? Number(DECIMAL.exec(text)?.[1]) : value
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value
    default:
      return value
  }
}
