/**
 * Which service is used with which key, and the source of each:
 *
 *     service   --server, SCRIPTORIUM_URL, `config url`, the address that npx installed from, the one in the package
 *     key       SCRIPTORIUM_API_KEY, else what `login` saved for exactly this service: a key, or tokens that it renews
 */
import fs from 'node:fs'
import path from 'node:path'
import { EXIT, Failure, usageFailure } from './failure.ts'
import { readPrivate, writePrivate } from './private-file.ts'

export type Settings = {
  server: Known<string>
  apiKey: Known<string>
  /** True where the key is a token of a sign-in, which is renewed from the file. */
  isLogin: boolean
}
/** `refresh` gets the next token; `endsAt` is by this machine's clock. */
export type SavedLogin = { access: string; refresh: string; endsAt: number }
/** Null where no source names it. `from` is for people. */
type Known<T> = { value: T; from: string } | null

type ConfigFile = {
  url: string | null
  keys: Record<string, string>
  logins: Record<string, SavedLogin>
}

export function readSettings(input: {
  server: string | undefined
  env: NodeJS.ProcessEnv
  configFile: string
  /** The folder of this program. */
  programFolder: string
}): Settings {
  const { env, configFile } = input
  const config = readConfigFile(configFile)
  const server = firstKnown([
    [input.server, '--server'],
    [env['SCRIPTORIUM_URL'], 'SCRIPTORIUM_URL'],
    [config.url ?? undefined, configFile],
    [installedFrom(input.programFolder) ?? undefined, 'where this program was installed from'],
    [servedBy(input.programFolder) ?? undefined, 'the service that served this program'],
  ])
  const address =
    server === null ? null : { ...server, value: readAddress(server.value, server.from) }
  const login = address === null ? undefined : config.logins[address.value]
  const apiKey = firstKnown([
    [env['SCRIPTORIUM_API_KEY'], 'SCRIPTORIUM_API_KEY'],
    [address === null ? undefined : config.keys[address.value], configFile],
    [login?.access, configFile],
  ])
  return {
    server: address,
    apiKey: apiKey === null ? null : { ...apiKey, value: apiKey.value.trim() },
    isLogin: apiKey !== null && apiKey.value === login?.access,
  }
}

function firstKnown(ways: [value: string | undefined, from: string][]): Known<string> {
  const [found] = ways.filter(([value]) => value !== undefined && value.trim() !== '')
  return found?.[0] === undefined ? null : { value: found[0], from: found[1] }
}

/** Returns an address as people paste it, with `/api/v1` or a trailing slash, as `https://host[:port]`. */
export function readAddress(text: string, from: string): string {
  const typed = text.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw usageFailure(
      `${from}: "${text}" is not the address of a service`,
      'like https://example.org',
    )
  }
  const folder = url.pathname.replace(/\/(?:api\/v1\/?)?$/, '')
  return url.origin + folder
}

export function neededServer({ server }: Settings): string {
  if (server !== null) return server.value
  throw usageFailure(
    'no service is set',
    'set SCRIPTORIUM_URL, or once: scriptorium config url https://…',
  )
}

export function neededKey(settings: Settings): string {
  if (settings.apiKey !== null) return settings.apiKey.value
  const server = neededServer(settings)
  throw new Failure(`an API key for ${server} is needed`, {
    exit: EXIT.login,
    code: 'unauthorized',
    hint: loginHint(server),
  })
}

export function saveServer(configFile: string, url: string): void {
  writePrivate(configFile, { ...readConfigFile(configFile), url })
}

/** Saves the service with its key, so that a later installation finds it after a login by `npx`. */
export function saveKey(
  configFile: string,
  { server, apiKey }: { server: string; apiKey: string },
): void {
  const { url, keys, logins } = without(readConfigFile(configFile), server)
  writePrivate(configFile, { url: url ?? server, keys: { ...keys, [server]: apiKey }, logins })
}

/** Saves the tokens in place of a key. */
export function saveLogin(configFile: string, server: string, login: SavedLogin): void {
  const { url, keys, logins } = without(readConfigFile(configFile), server)
  writePrivate(configFile, { url: url ?? server, keys, logins: { ...logins, [server]: login } })
}

export function readLogin(configFile: string, server: string): SavedLogin | null {
  return readConfigFile(configFile).logins[server] ?? null
}

/** Returns whether there was a key or a sign-in. */
export function forgetKey(configFile: string, server: string): boolean {
  const config = readConfigFile(configFile)
  const isKnown = config.keys[server] !== undefined || config.logins[server] !== undefined
  if (isKnown) writePrivate(configFile, without(config, server))
  return isKnown
}

function without(config: ConfigFile, server: string): ConfigFile {
  const { [server]: _key, ...keys } = config.keys
  const { [server]: _login, ...logins } = config.logins
  return { ...config, keys, logins }
}

function readConfigFile(file: string): ConfigFile {
  const found = readPrivate(file) as Partial<ConfigFile> | null
  return {
    url: typeof found?.url === 'string' ? found.url : null,
    keys: typeof found?.keys === 'object' && found.keys !== null ? found.keys : {},
    logins: typeof found?.logins === 'object' && found.logins !== null ? found.logins : {},
  }
}

/**
 * Returns the address that this program was installed from, or null. `npx
 * https://host/clients/scriptorium-cli-2.0.0.tgz` leaves it in npm's list of installed packages, beside our own folder
 * (npm 7 and later, read in npm 11).
 */
function installedFrom(programFolder: string): string | null {
  try {
    // The package has a scope, which is a folder of its own: node_modules/@scriptorium/cli.
    const modules = path.join(programFolder, '../..')
    const name = path.relative(modules, programFolder).replaceAll(path.sep, '/')
    const list = path.join(modules, '.package-lock.json')
    const { packages = {} } = JSON.parse(fs.readFileSync(list, 'utf8')) as {
      packages?: Record<string, { resolved?: string }>
    }
    const resolved = packages[`node_modules/${name}`]?.resolved ?? ''
    const [, server = null] = /^(https?:\/\/.+)\/clients\/[^/]+\.tgz$/.exec(resolved) ?? []
    return server
  } catch {
    return null // The program was installed in another way, for example from a folder.
  }
}

/**
 * Returns the address that the service wrote into the package, or null. `npm install -g` leaves no list of installed
 * packages (npm 11).
 */
function servedBy(programFolder: string): string | null {
  try {
    const file = path.join(programFolder, 'server.json')
    const { address } = JSON.parse(fs.readFileSync(file, 'utf8')) as { address?: unknown }
    return typeof address === 'string' ? address : null
  } catch {
    return null // The program runs from its sources, or was packed and not served.
  }
}

export function loginHint(server: string | null): string {
  const account = server === null ? 'the website' : `${server}/account`
  return `make a key on ${account} and set SCRIPTORIUM_API_KEY, or sign in: scriptorium login`
}
