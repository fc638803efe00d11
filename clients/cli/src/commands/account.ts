/** `balance`, `login`, `logout`, `config`: which account pays, with which key, at which service. */
import { counted } from '../delivery-output.ts'
import { text as readText } from 'node:stream/consumers'
import { Scriptorium, UnauthorizedError } from '../../../typescript/src/index.ts'
import { askSecretly } from '../ask-secretly.ts'
import { awaitLogin, beginLogin, type DeviceCode, endLogin } from '../app-login.ts'
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.ts'
import {
  forgetKey,
  neededServer,
  readAddress,
  readLogin,
  saveKey,
  saveLogin,
  saveServer,
} from '../settings.ts'
import { type Command, connect, printJson, type Shell } from '../shell.ts'
import { factsOf } from '../table.ts'
import { dollars } from '../usd.ts'

export const balance: Command = async (shell) => {
  const found = await connect(shell).balance()
  if (shell.isJson) await printJson(shell, found)
  else {
    const { affordableTranscripts: count } = found
    const enough = `enough for ${counted(count, 'transcript')}`
    await shell.terminal.data(`${dollars(found.balance)}  ${enough}\n`)
  }
  return EXIT.ok
}

/** Signs in by a code that is typed on the website. A key that is given instead is saved as it is. */
export const login: Command = async (shell) => {
  const { options, terminal } = shell
  const isKeyGiven = options['key-stdin'] === true || options['key'] === true
  const isCodeWanted = options['device'] === true
  if (isKeyGiven && isCodeWanted) throw usageFailure('--device signs in without a key')
  const server = neededServer(shell.settings)
  const code = isKeyGiven || !(terminal.canAsk || isCodeWanted) ? null : await beginLogin(server)
  if (code !== null) return loginByCode(shell, code)
  if (isCodeWanted)
    throw usageFailure(`${server} does not offer sign-in with a code`, 'use --key-stdin')
  return loginByKey(shell)
}

async function loginByCode(shell: Shell, code: DeviceCode): Promise<ExitCode> {
  const { terminal, places } = shell
  const server = neededServer(shell.settings)
  // These lines appear even with --json: without them nobody can sign in.
  terminal.warn(`Open ${code.page}`)
  terminal.warn(`and type the code ${code.user}`)
  terminal.status(() => 'Waiting for your answer there…')
  const saved = await awaitLogin(server, code, () =>
    terminal.say('The service does not answer; asking again until the code expires'),
  )
  terminal.status(null)
  saveLogin(places.configFile, server, saved)
  const client = new Scriptorium({ baseUrl: server, apiKey: saved.access })
  return tellSaved(shell, server, (await client.balance()).balance)
}

/** Saves a key that the service has accepted, so that a wrong one is reported now. */
async function loginByKey(shell: Shell): Promise<ExitCode> {
  const { places } = shell
  const server = neededServer(shell.settings)
  const apiKey = (await readKey(shell, server)).trim()
  if (apiKey === '') throw usageFailure('no key was given')
  const client = new Scriptorium({ baseUrl: server, apiKey })
  const { balance } = await client.balance().catch((error: unknown) => {
    if (!(error instanceof UnauthorizedError)) throw error
    throw new Failure(`${server} does not know this key; nothing was saved`, {
      exit: EXIT.login,
      code: 'unauthorized',
    })
  })
  saveKey(places.configFile, { server, apiKey })
  return tellSaved(shell, server, balance)
}

async function tellSaved(shell: Shell, server: string, balance: string): Promise<ExitCode> {
  const { terminal, places } = shell
  if (shell.isJson) await printJson(shell, { server, balance, configFile: places.configFile })
  else
    terminal.say(`Saved for ${server} in ${places.configFile}; the balance is ${dollars(balance)}`)
  return EXIT.ok
}

async function readKey({ options, terminal, stdin }: Shell, server: string): Promise<string> {
  if (options['key-stdin'] === true) return readText(stdin)
  if (terminal.canAsk) {
    terminal.say(`Make a key on ${server}/account`)
    return askSecretly(stdin, 'API key: ')
  }
  throw usageFailure('there is no terminal to ask on', 'use --key-stdin or SCRIPTORIUM_API_KEY')
}

export const logout: Command = async (shell) => {
  const server = neededServer(shell.settings)
  const saved = readLogin(shell.places.configFile, server)
  if (saved !== null && !(await endLogin(server, saved)))
    shell.terminal.say(`${server} was not reached: disconnect this program on its account page`)
  const isForgotten = forgetKey(shell.places.configFile, server)
  if (shell.isJson) await printJson(shell, { server, isForgotten })
  else
    shell.terminal.say(
      isForgotten ? `Forgot the key for ${server}` : `No key was saved for ${server}`,
    )
  return EXIT.ok
}

export const config: Command = async (shell) => {
  const { settings, places, terminal, words } = shell
  const [name, value] = words
  if (name !== undefined) {
    if (name !== 'url' || value === undefined) throw usageFailure('config takes url URL')
    saveServer(places.configFile, readAddress(value, 'config url'))
    return EXIT.ok
  }
  const { server, apiKey } = settings
  const key = apiKey === null ? null : `${apiKey.value.slice(0, 8)}…`
  if (shell.isJson) {
    await printJson(shell, {
      server: server?.value ?? null,
      serverFrom: server?.from ?? null,
      key,
      keyFrom: apiKey?.from ?? null,
      ...places,
    })
  } else {
    const rows: [string, string][] = [
      ['service', server === null ? 'not known' : `${server.value}  (${server.from})`],
      ['key', apiKey === null ? 'none' : `${key}  (${apiKey.from})`],
      ['config', places.configFile],
      ['state', places.stateFolder],
    ]
    await terminal.data(factsOf(rows, terminal))
  }
  return EXIT.ok
}
