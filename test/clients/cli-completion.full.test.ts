/** Completion by the shells themselves: bash and fish complete as for their users, zsh reads its script. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { COMMANDS } from '../../clients/cli/src/commands.ts'
import { needs } from '../support/needs.ts'
import { cliUser } from './cli-command.ts'

const ASKED: [words: string[], offered: string[]][] = [
  [['ge'], ['get']],
  [
    ['get', '--ma'],
    ['--max', '--max-usd'],
  ],
  [
    ['get', '--names', ''],
    ['title', 'id', 'index'],
  ],
  [['completion', 'z'], ['zsh']],
  [[''], COMMANDS.map(({ name }) => name)],
]

const shells = ['zsh', 'fish'] as const
const user = cliUser({ after }, {})

test('bash completes commands, options and their values', needs('bash'), async () => {
  const { stdout: script } = await user.runs('completion', 'bash')
  for (const [words, offered] of ASKED) {
    const quoted = ['scriptorium', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _scriptorium; echo "\${COMPREPLY[*]}"`
    const { stdout } = spawnSync('bash', ['-c', ask], { encoding: 'utf8' })
    assert.equal(stdout.trim(), offered.join(' '), words.join(' '))
  }
})

test('the scripts of the other shells name every command', async () => {
  for (const shell of shells) {
    const { stdout } = await user.runs('completion', shell)
    for (const { name } of COMMANDS) assert.ok(stdout.includes(name), `${shell}: ${name}`)
  }
})

for (const shell of shells)
  test(`${shell} reads its script`, needs(shell), async () => {
    const { status, stderr } = spawnSync(shell, ['-n', await scriptOf(shell)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })

test('fish completes commands, options and their values', needs('fish'), async () => {
  const file = await scriptOf('fish')
  for (const [words, offered] of ASKED) {
    const line = ['scriptorium', ...words].join(' ')
    const ask = ['--no-config', '-c', `source ${file}; complete -C '${line}'`]
    const { stdout } = spawnSync('fish', ask, { encoding: 'utf8' })
    const names = stdout.trim().split('\n')
    // Each name is followed by its description.
    const said = names.map((name) => name.split('\t', 1)[0])
    assert.deepEqual(said.toSorted(), offered.toSorted(), line)
  }
})

/** Returns the file with the script of a shell. */
async function scriptOf(shell: string): Promise<string> {
  const { stdout } = await user.runs('completion', shell)
  const file = path.join(user.folder, `completion.${shell}`)
  fs.writeFileSync(file, stdout)
  return file
}
