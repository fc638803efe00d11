/**
 * An S3-compatible object store. Buckets stand in the path of an address, which every such store answers. Each request
 * is signed by aws4fetch, has a deadline and a bound, and is repeated where it failed on the way.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import { KIT_LIMITS } from './limits.ts'
import { readBytesUpTo } from './outbound/read-up-to.ts'
import { ConfigError, type Setting, text } from './settings.ts'

const FORM = 's3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION'
const { answerBytes: ANSWER_BYTES, listBytes: LIST_BYTES } = KIT_LIMITS.objectStore
const NAME = /^[\w.-]{1,200}$/

/** An object store; a name or password in its address is refused, so that the value may be shown. */
export function objectStore(about: string): Setting<string | null> {
  const parse = (value: string): string => {
    readObjectStore(value)
    return value
  }
  return { ...text(about, { unit: FORM }), parse }
}

/** Returns where objects are, and the region if it is named. Throws ConfigError with what the value must be. */
export function readObjectStore(value: string) {
  const [place = '', ...parameters] = value.split('?')
  const [scheme, nothing, bucket = '', ...path] = place.replace(/\/$/, '').split('/')
  const isPlace = scheme === 's3:' && nothing === '' && /^[a-z\d.-]{3,63}$/.test(bucket)
  const asked = new URLSearchParams(parameters.join('?'))
  const unknown = [...asked.keys()].filter((name) => name !== 'endpoint' && name !== 'region')
  if (unknown[0] !== undefined)
    throw new ConfigError(`must be ${FORM}, without the parameter ${JSON.stringify(unknown[0])}`)
  const region = asked.get('region')
  const aws = `https://s3.${region ?? 'us-east-1'}.amazonaws.com`
  const endpoint = URL.parse(asked.get('endpoint') ?? aws)
  const isOrigin =
    /^https?:$/.test(endpoint?.protocol ?? '') && endpoint?.href === `${endpoint?.origin}/`
  if (!isPlace || !isOrigin || ![...path, region ?? 'none'].every((part) => NAME.test(part)))
    throw new ConfigError(`must be ${FORM}, of which PREFIX and the parameters may be missing`)
  return {
    url: `${endpoint.origin}/${bucket}`,
    prefix: path.map((part) => `${part}/`).join(''),
    region,
  }
}

/** The store did not do what was asked: of this object, which is missing or wrong, or of any. */
export class ObjectStoreError extends Error {
  readonly fault: 'missing' | 'wrong' | 'any'

  constructor(message: string, fault: 'missing' | 'wrong' | 'any' = 'any') {
    super(message)
    this.fault = fault
  }
}

type Asked = {
  method: 'GET' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: Buffer
  bytesMax?: number
  isRight?: (content: Buffer) => boolean
}

export type ObjectStore = ReturnType<typeof openObjectStore>
type Place = ReturnType<typeof readObjectStore>
type Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
type OnAnswer = (trouble: string | null) => void

const UNANSWERED = { status: 0, isDone: false, content: '' }
const faultOf = (error: unknown) => (error instanceof ObjectStoreError ? error.fault : 'any')

/** Returns what sends requests, until one is answered as it should be or cannot be. */
function openRequests({ url: base, region }: Place, keys: Keys, onAnswer: OnAnswer) {
  const { startMs, bytesPerMs, tries: triesMax, pauseMs } = KIT_LIMITS.objectStore
  const agent = new Agent({ connections: KIT_LIMITS.objectStore.connections, pipelining: 1 })
  const signing = { ...keys, service: 's3', region: region ?? 'us-east-1' }
  let isAway = false // then a request is tried once, so that nobody waits for long

  async function sendOnce(path: string, { method, headers, body, bytesMax, isRight }: Asked) {
    const sum = createHash('sha256').update(body ?? '')
    const given = { ...headers, 'x-amz-content-sha256': sum.digest('hex') }
    const carried = bytesMax ?? body?.length ?? 0
    const url = `${base}${path}`
    const signed = await new AwsV4Signer({ method, url, headers: given, ...signing }).sign()
    const answer = await request(signed.url, {
      method,
      dispatcher: agent,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      signal: AbortSignal.timeout(startMs + Math.ceil(carried / bytesPerMs)),
    })
    const { statusCode: status } = answer
    const isDone = status >= 200 && status < 300
    const content = await readBytesUpTo(answer.body, (isDone && bytesMax) || ANSWER_BYTES)
    if (isDone && isRight?.(content) === false)
      throw new ObjectStoreError('other bytes than were written', 'wrong')
    return { status, isDone, content }
  }

  async function insist(path: string, asked: Asked): Promise<Buffer> {
    const most = isAway ? 1 : triesMax
    for (let tries = 1; ; tries += 1) {
      const { status, isDone, content, why, fault } = await sendOnce(path, asked).then(
        (answer) => ({ ...answer, why: `status ${answer.status}`, fault: 'any' as const }),
        (error: unknown) => ({ ...UNANSWERED, why: String(error), fault: faultOf(error) }),
      )
      const code = isDone ? '' : valueIn(content.toString(), 'Code')
      const isMissing = status === 404 && code !== 'NoSuchBucket'
      const isRefused = status !== 0 && status < 500 && status !== 429
      const trouble = isDone || isMissing ? null : `${base}${path}: ${why} ${code}`.trim()
      const isLast = isDone || isMissing || isRefused || tries === most
      if (isLast) onAnswer(trouble)
      if (isLast) isAway = trouble !== null
      if (isDone) return content as Buffer
      if (isMissing) throw new ObjectStoreError(`${base}${path} is not there`, 'missing')
      if (isLast) throw new ObjectStoreError(String(trouble), fault)
      await sleep(tries * pauseMs)
    }
  }

  return { insist, close: () => agent.destroy() }
}

/**
 * Opens the store; connects with the first request. Each of its functions throws ObjectStoreError. `onAnswer` is told
 * of each request why it failed at last; null where the store answered.
 */
export function openObjectStore(place: Place, keys: Keys, onAnswer: OnAnswer) {
  const { prefix } = place
  const { insist, close } = openRequests(place, keys, onAnswer)
  return {
    close,
    async put(key: string, content: Buffer): Promise<void> {
      await insist(`/${prefix}${key}`, { method: 'PUT', body: content })
    },
    /** Returns bytes of an object. What `isRight` refuses is read again, and an error at last. */
    read(
      key: string,
      { from, bytes }: { from: number; bytes: number },
      isRight: (content: Buffer) => boolean,
    ): Promise<Buffer> {
      return insist(`/${prefix}${key}`, {
        method: 'GET',
        headers: { range: `bytes=${from}-${from + bytes - 1}` },
        bytesMax: bytes,
        isRight: (content) => content.length === bytes && isRight(content),
      })
    },
    /** Removes an object, which may be gone already. */
    async remove(key: string): Promise<void> {
      await insist(`/${prefix}${key}`, { method: 'DELETE' }).catch((error: unknown) => {
        if (faultOf(error) !== 'missing') throw error
      })
    },
    /** Returns up to a thousand objects whose keys begin so, in the order of keys, after a key. */
    async list(beginning: string, after: string) {
      const asked = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}${beginning}` })
      if (after !== '') asked.set('start-after', `${prefix}${after}`)
      const page = await insist(`?${asked}`, { method: 'GET', bytesMax: LIST_BYTES })
      const [, ...objects] = page.toString().split('<Contents>')
      return objects.map((xml) => ({
        key: valueIn(xml, 'Key').slice(prefix.length),
        sizeBytes: Number(valueIn(xml, 'Size')),
        modifiedAt: new Date(valueIn(xml, 'LastModified')),
      }))
    },
  }
}

/** Returns what stands between the tags of an element without children; empty where there is none. */
function valueIn(xml: string, name: string): string {
  const from = xml.indexOf(`<${name}>`)
  const to = xml.indexOf(`</${name}>`, from)
  return from < 0 || to < 0 ? '' : xml.slice(from + name.length + 2, to)
}
