/**
 * Hosts of the bed: network namespaces, each with a cable to one bridge, whose own address is the outside's. Processes
 * of a host are those that live in its namespace, however they came there.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const HOST_NAMES = ['pg1', 'pg2', 'proxy', 'api1', 'api2', 'worker1', 'worker2'] as const
type HostName = (typeof HOST_NAMES)[number]

type Running = { as?: string; env?: Record<string, string>; input?: string }
export type Ran = { code: number | null; out: string }

export type BedHost = {
  name: HostName
  ip: string
  /** Name of the cable's end at the bridge. */
  cable: string
  /** Words before a program's own that run it on this host, in the same process. */
  within: string[]
  /** Runs a program to its end, and returns its code with all that it printed. */
  tries(words: string[], running?: Running): Promise<Ran>
  /** Runs a program that has to end well, and returns what it printed. */
  runs(words: string[], running?: Running): Promise<string>
  /** Starts a program whose output goes to a file of its own in the bed's folder. */
  starts(words: string[], running?: Running): ChildProcess
  /** Sends the signal to all processes of the host. */
  signals(signal: NodeJS.Signals): void
  /** Takes the cable's port down: nobody is told. */
  cut(): void
  mend(): void
}

export type Network = {
  folder: string
  /** Address of the outside: the emulator, the receiver of webhooks and the client. */
  outside: string
  /** An address of no host, for one that moves. */
  spare: string
  subnet: string
  hosts: Record<HostName, BedHost>
  /** Ends all processes of all hosts and removes everything, the folder included. */
  close(): Promise<void>
}

/** Addresses for tests between networks (RFC 2544). A second bed has other ones. */
const SUBNET = `198.18.${process.pid % 256}`
const FIRST_HOST = 11
const SPARE_HOST = 100
const ROUNDS_MAX = 50
/**
 * What becomes of the bed when its program ends in any way, even by SIGKILL: this script's input closes then. Processes
 * of a host end first, since a namespace lives as long as they do.
 */
const REMOVAL = `read -r _
bridge=$1; folder=$2; shift 2
for host in "$@"; do
  for round in $(seq ${ROUNDS_MAX}); do
    pids=$(ip netns pids "$host" 2>/dev/null)
    test -n "$pids" || break
    kill -s KILL $pids 2>/dev/null
    sleep 0.1
  done
  ip netns delete "$host" 2>/dev/null
done
for cable in $(ip -o link show master "$bridge" | sed 's/^[0-9]*: //; s/[@:].*//'); do
  ip link delete "$cable" 2>/dev/null
done
ip link delete "$bridge" 2>/dev/null
rm -rf "$folder"`

/** Returns why there can be no hosts here, as one sentence; null where there can. */
export function whyNoHosts(programs: readonly string[]): string | null {
  if (process.platform !== 'linux') return 'hosts are network namespaces, which only Linux has'
  if (process.getuid?.() !== 0) return 'network namespaces want root'
  const missing = programs.find((name) => spawnSync('which', [name]).status !== 0)
  if (missing !== undefined) return `${missing} is not installed`
  const name = `try${process.pid}`
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  if (made.status !== 0) return `no network namespace may be made here: ${made.stderr.trim()}`
  spawnSync('ip', ['netns', 'delete', name])
  return null
}

export async function openNetwork(): Promise<Network> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-hosts-'))
  fs.chmodSync(folder, 0o755)
  const bridge = `sb${process.pid}`
  const names = HOST_NAMES.map((name) => `${bridge}-${name}`)
  const removal = spawn('sh', ['-c', REMOVAL, 'removal', bridge, folder, ...names], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C is not meant for it
  })
  const network: Network = {
    folder,
    outside: `${SUBNET}.1`,
    spare: `${SUBNET}.${SPARE_HOST}`,
    subnet: `${SUBNET}.0/24`,
    hosts: {} as Network['hosts'],
    async close() {
      const gone = once(removal, 'exit')
      removal.stdin.end()
      await gone
    },
  }
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('address', 'add', `${network.outside}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    HOST_NAMES.forEach((name, at) => {
      network.hosts[name] = addHost(network, { name, bridge, ip: `${SUBNET}.${FIRST_HOST + at}` })
    })
  } catch (error) {
    await network.close()
    throw error
  }
  return network
}

function addHost(
  { folder }: Network,
  { name, bridge, ip: address }: { name: HostName; bridge: string; ip: string },
): BedHost {
  const space = `${bridge}-${name}`
  const cable = `${bridge}${name}`.slice(0, 15) // the longest name of a device
  ip('netns', 'add', space)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  ip('link', 'set', cable, 'master', bridge, 'up')
  ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', space, 'link', 'set', 'lo', 'up')
  ip('-n', space, 'link', 'set', 'eth0', 'up')
  const within = ['ip', 'netns', 'exec', space]
  let started = 0
  const command = (words: string[], as?: string): [string, string[]] => {
    const user = as === undefined ? [] : ['runuser', '-u', as, '--']
    const [program = '', ...args] = [...within, ...user, ...words]
    return [program, args]
  }
  const host: BedHost = {
    name,
    ip: address,
    cable,
    within,
    async tries(words, { as, env = {}, input = '' } = {}) {
      // A server that `pg_ctl` leaves behind keeps what it was given, so output goes to a file, not to a pipe.
      const file = path.join(folder, `${name}-${(started += 1)}.log`)
      const output = fs.openSync(file, 'a')
      const [program, args] = command(words, as)
      const child = spawn(program, args, {
        cwd: '/',
        stdio: ['pipe', output, output],
        env: { ...process.env, ...env },
      })
      child.stdin?.on('error', () => undefined).end(input) // one that reads nothing may have ended
      fs.closeSync(output)
      const [code] = (await once(child, 'exit')) as [number | null]
      return { code, out: await text(fs.createReadStream(file)) }
    },
    async runs(words, running) {
      const { code, out } = await host.tries(words, running)
      assert.equal(code, 0, `${name}: ${words.join(' ')}: ${out.slice(-1_000)}`)
      return out.trim()
    },
    starts(words, { as, env = {} } = {}) {
      const output = fs.openSync(path.join(folder, `${name}-${(started += 1)}.log`), 'a')
      const [program, args] = command(words, as)
      const stdio = ['ignore', output, output] as const
      const child = spawn(program, args, {
        cwd: '/',
        stdio: [...stdio],
        env: { ...process.env, ...env },
      })
      fs.closeSync(output)
      return child
    },
    signals(signal) {
      const pids = ip('netns', 'pids', space).split('\n').filter(Boolean)
      for (const pid of pids) spawnSync('kill', ['-s', signal.replace('SIG', ''), pid])
    },
    cut: () => void ip('link', 'set', cable, 'down'),
    mend: () => void ip('link', 'set', cable, 'up'),
  }
  return host
}

/** Runs `ip`, and returns what it printed. */
export function ip(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', words, { encoding: 'utf8' })
  assert.equal(status, 0, `ip ${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}
