/** Completion where the shells are installed: bash and fish complete as for their users, zsh reads its script. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../clients/cli/src/commands.ts'
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

test('completion offers commands, options and their values', async (t) => {
  const user = cliUser({ after: (end) => t.after(end) }, {})
  const { stdout: script } = await user.runs('completion', 'bash')
  for (const [words, offered] of ASKED) {
    const quoted = ['scriptorium', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _scriptorium; echo "\${COMPREPLY[*]}"`
    const { stdout } = spawnSync('bash', ['-c', ask], { encoding: 'utf8' })
    assert.equal(stdout.trim(), offered.join(' '), words.join(' '))
  }
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await user.runs('completion', shell)
    for (const { name } of COMMANDS) assert.ok(stdout.includes(name))
    const file = path.join(user.folder, `completion.${shell}`)
    fs.writeFileSync(file, stdout)
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    if (error === undefined) assert.equal(status, 0, stderr)
    if (error === undefined && shell === 'fish') asksFish(file)
  }
})

function asksFish(file: string): void {
  for (const [words, offered] of ASKED) {
    const line = ['scriptorium', ...words].join(' ')
    const ask = ['--no-config', '-c', `source ${file}; complete -C '${line}'`]
    const { stdout } = spawnSync('fish', ask, { encoding: 'utf8' })
    const names = stdout.trim().split('\n')
    // Each name is followed by its description.
    const said = names.map((name) => name.split('\t', 1)[0])
    assert.deepEqual(said.toSorted(), offered.toSorted(), line)
  }
}
