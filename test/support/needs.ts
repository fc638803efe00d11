/** Programs of other authors that tests run where they are installed. The report names each that is missing. */
import { spawnSync } from 'node:child_process'

/** Each with the words by which it says that it is there. */
const PROGRAMS = {
  bash: ['bash', '--version'],
  curl: ['curl', '--version'],
  ffmpeg: ['ffmpeg', '-version'],
  fish: ['fish', '--version'],
  mypy: ['python3', '-m', 'mypy', '--version'],
  openssl: ['openssl', 'version'],
  pgbouncer: ['pgbouncer', '--version'],
  promtool: ['promtool', '--version'],
  python3: ['python3', '--version'],
  unzip: ['unzip', '-v'],
  swift: ['sh', '-c', 'command -v swift-proxy-server && command -v swift-object-server'],
  zsh: ['zsh', '--version'],
} as const

const found = new Map<string, boolean>()

/** Options of a test that runs this program: where it is missing, the test is skipped and says so. */
export function needs(name: keyof typeof PROGRAMS): { skip?: string } {
  const [program, ...args] = PROGRAMS[name]
  const isHere = found.get(name) ?? spawnSync(program, args).status === 0
  found.set(name, isHere)
  return isHere ? {} : { skip: `${name} is not installed` }
}
