/** Where the command finds the address of its service. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readSettings } from './settings.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'settings-'))
after(() => fs.rmSync(folder, { recursive: true }))

test('run by npx, it asks the service whose address npx was given', () => {
  const modules = path.join(folder, 'node_modules')
  const programFolder = path.join(modules, '@scriptorium/cli')
  fs.mkdirSync(programFolder, { recursive: true })
  const resolved = 'https://texts.example/clients/scriptorium-cli-2.0.0.tgz'
  fs.writeFileSync(
    path.join(modules, '.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/@scriptorium/cli': { resolved } } }),
  )
  const configFile = path.join(folder, 'none.json')
  const { server } = readSettings({ server: undefined, env: {}, configFile, programFolder })
  assert.equal(server?.value, 'https://texts.example')
})
