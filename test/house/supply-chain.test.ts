/**
 * What others' code can do here: every action and base image is named by its digest, workflows hold no more rights than
 * their comments say, nothing that a stranger wrote becomes a command, and Renovate keeps the digests.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = '.github/workflows'
const EXPECTED = [
  'check',
  'codeql',
  'dependency-review',
  'image',
  'nightly',
  'osv-scanner',
  'packages',
  'scorecard',
]
/** Rights that a job may hold beyond reading; each stands with its reason in the workflow that has it. */
const WRITES: Record<string, readonly string[]> = {
  'codeql.yml analyze': ['security-events'],
  'image.yml publish': ['packages', 'id-token', 'attestations'],
  'osv-scanner.yml scan': ['security-events'],
  'packages.yml npm': ['id-token'],
  'packages.yml pypi': ['id-token'],
  'packages.yml release': ['contents', 'id-token', 'attestations'],
  'scorecard.yml score': ['security-events', 'id-token'],
}

type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = {
  steps: Step[]
  permissions?: Record<string, string>
  container?: { image: string }
  'timeout-minutes'?: number
}
type Workflow = { on: unknown; permissions?: Record<string, string>; jobs: Record<string, Job> }

const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), 'utf8')
const names = fs.readdirSync(path.join(ROOT, FOLDER))

/** Returns a sentence for each thing of a workflow that gives others more than they need. */
function faultsOfTrust(name: string, text: string): string[] {
  const { on, permissions, jobs } = parse(text) as Workflow
  const faults: string[] = []
  const fault = (where: string, what: string): void => void faults.push(`${where}: ${what}`)
  if (JSON.stringify(permissions) !== '{"contents":"read"}')
    fault(name, 'the workflow itself holds more than `contents: read`')
  if (/pull_request_target|workflow_run/.test(JSON.stringify(on)))
    fault(name, 'it runs with our rights on what a stranger wrote')
  for (const line of text.split('\n').filter((one) => /^\s*(?:- )?uses:/.test(one)))
    if (!/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))
      fault(name, `not by commit and version: ${line.trim()}`)
  for (const [job, { steps, permissions: held = {}, container, ...rest }] of Object.entries(jobs)) {
    const where = `${name} ${job}`
    if (rest['timeout-minutes'] === undefined) fault(where, 'it has no end')
    if (container !== undefined && !isByDigest(container.image))
      fault(where, `${container.image} may change`)
    const writes = Object.keys(held).filter((right) => held[right] === 'write')
    if (writes.join() !== (WRITES[where] ?? []).join())
      fault(where, `it may write ${writes.join()}`)
    for (const { uses, run, with: given } of steps) {
      if (run?.includes('${{') === true) fault(where, `an expression inside a command: ${run}`)
      if (
        uses?.startsWith('actions/checkout@') === true &&
        given?.['persist-credentials'] !== false
      )
        fault(where, 'the token stays in the checkout')
    }
  }
  return faults
}

function isByDigest(image: string): boolean {
  return /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image)
}

test('no workflow trusts more than it needs', () => {
  for (const name of names) assert.deepEqual(faultsOfTrust(name, read(`${FOLDER}/${name}`)), [])
  for (const name of EXPECTED) assert.ok(names.includes(`${name}.yml`), `${name}.yml is missing`)
})

test('each of these faults is seen', () => {
  const text = read(`${FOLDER}/check.yml`)
  const [checkout = ''] = /actions\/checkout@\S+ # \S+/.exec(text) ?? []
  const changes: [string, string][] = [
    [checkout, 'actions/checkout@v7'],
    [checkout, checkout.replace(/ #.*/, '')],
    ['contents: read', 'contents: write'],
    ['  pull_request:', '  pull_request_target:'],
    ['    timeout-minutes: 60\n', ''],
    ['persist-credentials: false', 'fetch-tags: true'],
    ['run: bash .ci/run', 'run: echo ${{ github.event.pull_request.title }}'],
    [
      '    timeout-minutes: 60\n',
      '    timeout-minutes: 60\n    permissions: { contents: write }\n',
    ],
  ]
  for (const [from, to] of changes) {
    assert.ok(text.includes(from) && from !== '')
    assert.equal(faultsOfTrust('check.yml', text.replace(from, to)).length, 1, to)
  }
  assert.equal(faultsOfTrust('check.yml', text.replace(/@sha256:\w+/, '')).length, 1)
})

test('every stage of the image begins with what a digest names', () => {
  const bases = [...read('Dockerfile').matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)]
  assert.ok(bases.length >= 3)
  for (const [, base = ''] of bases) assert.ok(isByDigest(base), base)
  assert.equal(new Set(bases.map(([, base]) => base)).size, 1, 'one Node for all')
})

test('Renovate keeps the digests of actions and images', () => {
  const { extends: presets } = JSON.parse(read('.github/renovate.json')) as { extends: string[] }
  for (const preset of ['helpers:pinGitHubActionDigests', 'docker:pinDigests'])
    assert.ok(presets.includes(preset), preset)
})

test('the published image says what it is made of, and a signed statement what built it', () => {
  const { jobs } = parse(read(`${FOLDER}/image.yml`)) as Workflow
  const steps = jobs['publish']?.steps ?? []
  const built = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@') === true)
  assert.deepEqual([built?.with?.['sbom'], built?.with?.['provenance']], [true, 'mode=max'])
  const attested = steps.find(({ uses }) => uses?.startsWith('actions/attest@') === true)
  assert.equal(attested?.with?.['subject-digest'], '${{ steps.image.outputs.digest }}')
})
